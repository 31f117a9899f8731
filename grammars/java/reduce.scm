; What lop knows of names in Java. c/reduce.scm explains the captures.
;
; Members are known by their name alone, in the whole program and before their declaration. Types belong to the class around them,
; and are visible from outside.

(class_declaration name: (identifier) @def.type.name body: (class_body) @def.struct.body) @def.type
(interface_declaration name: (identifier) @def.type.name body: (interface_body) @def.struct.body) @def.type
(enum_declaration name: (identifier) @def.type.name) @def.type
(record_declaration name: (identifier) @def.type.name body: (class_body) @def.struct.body) @def.type
(annotation_type_declaration name: (identifier) @def.type.name) @def.type

(import_declaration (scoped_identifier name: (identifier) @def.import.name) . ";") @def.import

(class_body) @scope.open
(interface_body) @scope.open
(enum_body) @scope.open
(annotation_type_body) @scope.open
(block) @scope
(constructor_body) @scope
(switch_block) @scope
(for_statement) @scope
(enhanced_for_statement name: (identifier) @def.var @def.var.name) @scope
(try_with_resources_statement) @scope
(catch_clause) @scope
(return_statement) @return

(method_declaration name: (identifier) @def.member.name) @def.member
(method_declaration body: (block) @def.function.body)
(constructor_declaration name: (identifier) @ref body: (constructor_body) @def.function.body) @def.function
(compact_constructor_declaration name: (identifier) @ref body: (block) @def.function.body) @def.function
(annotation_type_element_declaration name: (identifier) @def.member.name) @def.member
(enum_constant name: (identifier) @def.member.name) @def.member
(lambda_expression) @def.function

(field_declaration) @def.member
(constant_declaration) @def.member
(local_variable_declaration) @def.var
(spread_parameter) @def.param
(variable_declarator name: (identifier) @def.name)

(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @def.member.name)))
(formal_parameter name: (identifier) @def.param.name) @def.param
(inferred_parameters (identifier) @def.param @def.param.name)
(lambda_expression parameters: (identifier) @def.param @def.param.name)
(type_parameter (type_identifier) @def.param.name) @def.param

(catch_formal_parameter name: (identifier) @def.var.name) @def.var
(resource name: (identifier) @def.var.name) @def.var
(instanceof_expression name: (identifier) @def.var @def.var.name)
(type_pattern (identifier) @def.var @def.var.name)
(record_pattern_component (identifier) @def.var @def.var.name)

(labeled_statement . (identifier) @def.label @def.label.name)
(break_statement (identifier) @ref.label)
(continue_statement (identifier) @ref.label)

(method_invocation object: (_) name: (identifier) @ref.member)
(field_access field: (identifier) @ref.member)
(method_reference "::" (identifier) @ref.member)
(element_value_pair key: (identifier) @ref.member)
(scoped_type_identifier (_) "." (type_identifier) @ref.member)
; The words of a path to a type or package are not members.
(scoped_identifier (identifier) @ref)
(assignment_expression left: (identifier) @ref.bare.assigned)
(update_expression (identifier) @ref.bare.assigned)
(identifier) @ref.bare
(type_identifier) @ref

(method_declaration name: (identifier) @call.callee parameters: (formal_parameters) @call.params)
(constructor_declaration name: (identifier) @call.callee parameters: (formal_parameters) @call.params)
(method_invocation name: (identifier) @call.callee arguments: (argument_list) @call.args)
(object_creation_expression type: [
  (type_identifier) @call.callee
  (generic_type (type_identifier) @call.callee)
] arguments: (argument_list) @call.args)

(import_declaration (scoped_identifier name: (identifier) @unfold.name) @unfold.bare . ";")
(variable_declarator name: (identifier) @unfold.name value: [(identifier) (decimal_integer_literal) (string_literal) (true) (false) (null_literal) (method_invocation) (field_access) (array_access) (object_creation_expression) (parenthesized_expression)] @unfold.bare)
(variable_declarator name: (identifier) @unfold.name value: (_) @unfold.value)
(method_declaration name: (identifier) @unfold.name body: (block) @unfold.body)
(method_declaration name: (identifier) @unfold.name body: (block (return_statement (_) @unfold.result) .))
(expression_statement (assignment_expression left: (identifier) @unfold.name) @unfold.update)
(expression_statement (update_expression (identifier) @unfold.name) @unfold.update)
(assignment_expression left: (identifier) @unfold.name operator: "=" right: (_) @unfold.start)

(class_declaration name: (identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(interface_declaration name: (identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(record_declaration name: (identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(generic_type (type_identifier) @generic.name (type_arguments) @generic.args)

(class_declaration name: (identifier) @part.name superclass: (superclass (_) @part.super))
(class_declaration name: (identifier) @part.name interfaces: (super_interfaces (type_list (_) @part.super)))
(enum_declaration name: (identifier) @part.name interfaces: (super_interfaces (type_list (_) @part.super)))
(record_declaration name: (identifier) @part.name interfaces: (super_interfaces (type_list (_) @part.super)))
(interface_declaration name: (identifier) @part.name (extends_interfaces (type_list (_) @part.super)))
; Of annotations without arguments Override is by far the most frequent.
(method_declaration (modifiers (marker_annotation) @part.override) name: (identifier) @part.name)
(method_declaration type: (_) @part.returned name: (identifier) @part.name)

(assignment_expression left: (_) @assign.name)
(update_expression (_) @assign.name)

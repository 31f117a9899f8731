; What lop knows of names in C++. c/reduce.scm explains the captures.
;
; A path can name what a namespace or class declares. Members are known by their name alone, and those that are defined outside of their
; class are removed with it. Names of classes have no name space of their own. A namespace may be opened again anywhere, so any of its
; declarations is enough for a use.

(using_declaration (qualified_identifier name: (identifier) @def.import.name)) @def.import
(using_declaration (qualified_identifier name: (qualified_identifier name: (identifier) @def.import.name))) @def.import
(using_declaration "namespace" (identifier) @ref)
(namespace_definition name: (namespace_identifier) @def.import.name) @def.import
(namespace_alias_definition name: (namespace_identifier) @def.import.name) @def.import

(template_declaration) @def.type
(function_definition) @def.function
(function_definition body: (compound_statement) @def.function.body)
(field_declaration_list (function_definition) @def.member)
(lambda_expression) @def.function
(declaration) @def.var
(parameter_declaration) @def.param
(optional_parameter_declaration) @def.param
(variadic_parameter_declaration) @def.param
(type_definition) @def.type
(field_declaration) @def.member
(alias_declaration name: (type_identifier) @def.type.name) @def.type
(concept_definition name: (identifier) @def.type.name) @def.type
(class_specifier name: (type_identifier) @def.type.name body: (field_declaration_list) @def.struct.body) @def.type
(struct_specifier name: (type_identifier) @def.type.name body: (field_declaration_list) @def.struct.body) @def.type
(union_specifier name: (type_identifier) @def.type.name body: (field_declaration_list) @def.struct.body) @def.type
(enum_specifier name: (type_identifier) @def.type.name body: (enumerator_list)) @def.type
; A declaration of a tag alone: `struct S;`.
(translation_unit [(class_specifier name: (type_identifier) @def.type.name !body) (struct_specifier name: (type_identifier) @def.type.name !body) (union_specifier name: (type_identifier) @def.type.name !body)] @def.type)
(declaration_list [(class_specifier name: (type_identifier) @def.type.name !body) (struct_specifier name: (type_identifier) @def.type.name !body) (union_specifier name: (type_identifier) @def.type.name !body)] @def.type)
(enumerator name: (identifier) @def.enumerator.name) @def.enumerator

(declaration_list) @scope.open
(field_declaration_list) @scope.open
(compound_statement) @scope
(for_statement) @scope
(for_range_loop) @scope
(if_statement) @scope
(while_statement) @scope
(return_statement) @return

; A constructor uses the name of its class, and declares no name.
(field_declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @ref)))
(field_declaration_list (declaration !type declarator: (function_declarator declarator: (identifier) @ref)))
(function_declarator declarator: (qualified_identifier scope: (namespace_identifier) @ref.owner))
(function_declarator declarator: (qualified_identifier scope: (template_type name: (type_identifier) @ref.owner)))
(function_declarator declarator: (qualified_identifier name: (identifier) @ref.member.owner))
(function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @ref.member.owner)))

(for_range_loop declarator: (identifier) @def.var @def.var.name)
(for_range_loop declarator: (reference_declarator (identifier) @def.var @def.var.name))
(type_parameter_declaration (type_identifier) @def.param.name) @def.param
(variadic_type_parameter_declaration (type_identifier) @def.param.name) @def.param
(optional_type_parameter_declaration name: (type_identifier) @def.param.name) @def.param

(_ declarator: (field_identifier) @def.member.name)
(_ declarator: (identifier) @def.name)
(_ declarator: (type_identifier) @def.name)
(_ declarator: (primitive_type) @def.name)
(reference_declarator [(identifier) (type_identifier)] @def.name)
(variadic_declarator (identifier) @def.name)
(parenthesized_declarator [(identifier) (type_identifier) (primitive_type)] @def.name)
(attributed_declarator [(identifier) (type_identifier) (primitive_type)] @def.name)

(preproc_def name: (identifier) @def.var.name) @def.var
(preproc_function_def name: (identifier) @def.function.name) @def.function
(preproc_params (identifier) @def.param.name)

(labeled_statement label: (statement_identifier) @def.label.name) @def.label
(goto_statement label: (statement_identifier) @ref.label)

(qualified_identifier name: [(identifier) (type_identifier)] @ref.member)
(qualified_identifier name: (template_function name: (identifier) @ref.member))
(qualified_identifier name: (template_type name: (type_identifier) @ref.member))
(field_identifier) @ref.member
(assignment_expression left: (identifier) @ref.any.assigned)
(update_expression argument: (identifier) @ref.any.assigned)
(pointer_expression operator: "&" argument: (identifier) @ref.any.assigned)
(namespace_identifier) @ref.any
(identifier) @ref.any
(type_identifier) @ref.any
(primitive_type) @ref

(field_declaration type: (_) @unfold.type declarator: (field_identifier) @unfold.name)
(array_declarator declarator: (identifier) @unfold.name) @unfold.element
(pointer_declarator declarator: (identifier) @unfold.name) @unfold.element

(call_expression function: (identifier) @call.callee arguments: (argument_list) @call.args)
(call_expression function: (qualified_identifier name: (identifier) @call.callee) arguments: (argument_list) @call.args)
(call_expression function: (template_function name: (identifier) @call.callee) arguments: (argument_list) @call.args)
(call_expression function: (field_expression field: (field_identifier) @call.callee) arguments: (argument_list) @call.args)
(function_declarator declarator: [(identifier) (field_identifier)] @call.callee parameters: (parameter_list) @call.params)
(function_declarator declarator: (qualified_identifier name: (identifier) @call.callee) parameters: (parameter_list) @call.params)
(preproc_function_def name: (identifier) @call.callee parameters: (preproc_params) @call.params)

(using_declaration (qualified_identifier name: (identifier) @unfold.name) @unfold.bare)
(namespace_alias_definition name: (namespace_identifier) @unfold.name (_) @unfold.bare .)
(namespace_definition name: (namespace_identifier) @unfold.name body: (declaration_list) @unfold.members)
(type_definition type: (_) @unfold.bare declarator: [(type_identifier) (primitive_type)] @unfold.name)
(struct_specifier name: (type_identifier) @unfold.name body: (field_declaration_list) @unfold.definition)
(union_specifier name: (type_identifier) @unfold.name body: (field_declaration_list) @unfold.definition)
(class_specifier name: (type_identifier) @unfold.name body: (field_declaration_list) @unfold.definition)
(alias_declaration name: (type_identifier) @unfold.name type: (type_descriptor) @unfold.bare)
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name) body: (compound_statement) @unfold.body)
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name)) body: (compound_statement) @unfold.body)
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name)) body: (compound_statement) @unfold.body)
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name) body: (compound_statement (return_statement (_) @unfold.result) .))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name)) body: (compound_statement (return_statement (_) @unfold.result) .))
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier)] @unfold.name)) body: (compound_statement (return_statement (_) @unfold.result) .))
(init_declarator declarator: [(identifier) @unfold.name (pointer_declarator declarator: (identifier) @unfold.name) (reference_declarator (identifier) @unfold.name)] value: [(identifier) (number_literal) (char_literal) (string_literal) (parenthesized_expression) (call_expression) (subscript_expression) (field_expression)] @unfold.bare)
(init_declarator declarator: [(identifier) @unfold.name (pointer_declarator declarator: (identifier) @unfold.name) (reference_declarator (identifier) @unfold.name)] value: (_) @unfold.value)
(expression_statement (assignment_expression left: (identifier) @unfold.name) @unfold.update)
(expression_statement (update_expression argument: (identifier) @unfold.name) @unfold.update)
(assignment_expression left: (identifier) @unfold.name operator: "=" right: (_) @unfold.start)
(assignment_expression left: (field_expression argument: (identifier) @unfold.name operator: ".") operator: "=" right: (_) @unfold.member)

; An argument of a template belongs to a parameter of it, wherever it is used. A specialisation is no declaration of its own.
(template_declaration parameters: (template_parameter_list) @generic.params
  [(class_specifier name: (type_identifier) @generic.name) (struct_specifier name: (type_identifier) @generic.name)
   (union_specifier name: (type_identifier) @generic.name) (alias_declaration name: (type_identifier) @generic.name)
   (concept_definition name: (identifier) @generic.name)])
(template_declaration parameters: (template_parameter_list) @generic.params
  [(function_definition declarator: (function_declarator declarator: (identifier) @generic.name))
   (declaration declarator: (function_declarator declarator: (identifier) @generic.name))])
(template_type name: (type_identifier) @generic.name arguments: (template_argument_list) @generic.args)
(template_function name: (identifier) @generic.name arguments: (template_argument_list) @generic.args)

(class_specifier name: (type_identifier) @part.name (base_class_clause (type_identifier) @part.super))
(struct_specifier name: (type_identifier) @part.name (base_class_clause (type_identifier) @part.super))
(class_specifier name: (type_identifier) @part.name (base_class_clause (template_type) @part.super))
(struct_specifier name: (type_identifier) @part.name (base_class_clause (template_type) @part.super))
(function_declarator declarator: (field_identifier) @part.name (virtual_specifier "override") @part.override)

(assignment_expression left: (_) @assign.name)
(update_expression argument: (_) @assign.name)

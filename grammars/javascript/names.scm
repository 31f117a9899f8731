; What lop knows of names in JavaScript and all that extends it. c/reduce.scm explains the captures.
;
; Functions exist from the beginning of their scope, and `var` from the beginning of the whole function. A property without a declaration
; is not an error, so only the properties of classes are declared, and properties have a name space of their own.

(import_statement) @def.import
(import_clause (identifier) @def.import.name)
(namespace_import (identifier) @def.import.name)
(import_specifier alias: (identifier) @def.import.name)
(import_specifier !alias name: (identifier) @def.import.name)
(export_statement declaration: (_)) @def.var

(function_declaration name: (identifier) @def.function.name body: (statement_block) @def.function.body @scope.body) @def.function
(generator_function_declaration name: (identifier) @def.function.name body: (statement_block) @def.function.body @scope.body) @def.function
; The name of a function in an expression is known only inside it.
(function_expression body: (statement_block) @scope.body) @def.function
(function_expression name: (identifier) @def.param @def.param.name)
(generator_function body: (statement_block) @scope.body) @def.function
(arrow_function) @def.function
(arrow_function body: (statement_block) @scope.body)
(arrow_function parameter: (identifier) @def.param @def.param.name)
(method_definition name: [(property_identifier) (private_property_identifier)] @def.member.name) @def.member
(method_definition body: (statement_block) @def.function.body @scope.body)
(class_declaration name: (_) @def.type.name body: (class_body) @def.struct.body) @def.type
(class name: (_) @def.param @def.param.name) @def.type

(statement_block) @scope
(for_statement) @scope
(for_in_statement) @scope
(switch_body) @scope
(catch_clause) @scope
(return_statement) @return

(variable_declaration) @def.binding
(lexical_declaration) @def.var
(variable_declarator name: (identifier) @def.name)
(for_in_statement kind: "var" left: (_) @def.binding)
(for_in_statement kind: ["let" "const"] left: (_) @def.var)
(for_in_statement kind: _ left: (identifier) @def.name)
(catch_clause parameter: (_) @def.var)
(catch_clause parameter: (identifier) @def.name)
(shorthand_property_identifier_pattern) @def.name
(pair_pattern value: (identifier) @def.name)
(array_pattern (identifier) @def.name)
(rest_pattern (identifier) @def.name)
(assignment_pattern left: (identifier) @def.name)

(labeled_statement label: (statement_identifier) @def.label @def.label.name)
(statement_identifier) @ref.label

(property_identifier) @ref.field
(private_property_identifier) @ref.field
(shorthand_property_identifier) @ref
(assignment_expression left: (identifier) @ref.assigned)
(augmented_assignment_expression left: (identifier) @ref.assigned)
(update_expression argument: (identifier) @ref.assigned)
(identifier) @ref

(function_declaration name: (identifier) @call.callee parameters: (formal_parameters) @call.params)
(generator_function_declaration name: (identifier) @call.callee parameters: (formal_parameters) @call.params)
(method_definition name: (property_identifier) @call.callee parameters: (formal_parameters) @call.params)
(variable_declarator name: (identifier) @call.callee value: (arrow_function parameters: (formal_parameters) @call.params))
(variable_declarator name: (identifier) @call.callee value: (function_expression parameters: (formal_parameters) @call.params))
(call_expression function: (identifier) @call.callee arguments: (arguments) @call.args)
(call_expression function: (member_expression property: (property_identifier) @call.callee) arguments: (arguments) @call.args)

(variable_declarator name: (identifier) @unfold.name value: [(identifier) (number) (string) (true) (false) (null) (call_expression) (member_expression) (subscript_expression) (parenthesized_expression) (array) (template_string) (regex)] @unfold.bare)
(variable_declarator name: (identifier) @unfold.name value: (_) @unfold.value)
(function_declaration name: (identifier) @unfold.name body: (statement_block) @unfold.body)
(function_declaration name: (identifier) @unfold.name body: (statement_block (return_statement (_) @unfold.result) .))
(variable_declarator name: (identifier) @unfold.name value: (arrow_function body: (statement_block) @unfold.body))
(variable_declarator name: (identifier) @unfold.name value: (arrow_function body: (statement_block (return_statement (_) @unfold.result) .)))
(variable_declarator name: (identifier) @unfold.name value: (arrow_function body: [(identifier) (number) (string) (true) (false) (null) (this) (call_expression) (member_expression) (subscript_expression) (parenthesized_expression) (array) (object) (template_string) (regex) (new_expression) (unary_expression) (binary_expression) (ternary_expression) (assignment_expression) (augmented_assignment_expression) (update_expression) (await_expression) (arrow_function) (function_expression)] @unfold.result))
(method_definition name: (property_identifier) @unfold.name body: (statement_block) @unfold.body)
(method_definition name: (property_identifier) @unfold.name body: (statement_block (return_statement (_) @unfold.result) .))
(expression_statement [(assignment_expression left: (identifier) @unfold.name) (augmented_assignment_expression left: (identifier) @unfold.name) (update_expression argument: (identifier) @unfold.name)] @unfold.update)
(assignment_expression left: (identifier) @unfold.name right: (_) @unfold.start)

(assignment_expression left: (_) @assign.name)
(augmented_assignment_expression left: (_) @assign.name)
(update_expression argument: (_) @assign.name)
(for_in_statement left: (_) @assign.name)
(array_pattern (_) @assign.name)
(object_pattern (shorthand_property_identifier_pattern) @assign.name)
(object_assignment_pattern left: (_) @assign.name)
(pair_pattern value: (_) @assign.name)
(rest_pattern (_) @assign.name)

; What lop knows of names in Kotlin. c/reduce.scm explains the captures.
;
; Members and extensions are known by their name alone. Declarations at the top level of a file belong to the program.

(import (qualified_identifier) "as" (identifier) @def.import.name)
(import (qualified_identifier (identifier) @def.import.name .) .) @def.import
; The words of a path to a package are not members.
(import (qualified_identifier (identifier) @ref.outside))
(package_header (qualified_identifier (identifier) @ref.outside))

(class_declaration name: (identifier) @def.type.name) @def.type
(class_declaration (class_body) @def.struct.body)
(object_declaration name: (identifier) @def.type.name) @def.type
(object_declaration (class_body) @def.struct.body)
(companion_object name: (identifier) @def.type.name) @def.type
(type_alias type: (identifier) @def.type.name) @def.type
(enum_entry (identifier) @def.member.name) @def.member

(class_body) @scope.open
(enum_class_body) @scope.open
(block) @scope
(for_statement) @scope
(when_expression) @scope
(catch_block) @scope
(return_expression) @return

; A function or property is a member in a class, and where it has a receiver.
(class_body (function_declaration name: (identifier) @def.member.name) @def.member)
(enum_class_body (function_declaration name: (identifier) @def.member.name) @def.member)
(function_declaration "." name: (identifier) @def.member.name) @def.member
(class_body (property_declaration (variable_declaration (identifier) @def.member.name)) @def.member)
(enum_class_body (property_declaration (variable_declaration (identifier) @def.member.name)) @def.member)
(property_declaration "." (variable_declaration (identifier) @def.member.name)) @def.member
(function_declaration name: (identifier) @def.function.name) @def.function
(function_declaration (function_body (block) @def.function.body))
(secondary_constructor (block) @def.function.body) @def.function
(anonymous_function) @def.function
(lambda_literal) @def.function
(lambda_literal) @scope

(property_declaration) @def.var
(property_declaration (variable_declaration (identifier) @def.var.name))
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @def.var.name)))
(for_statement (variable_declaration (identifier) @def.var.name) @def.var)
(for_statement (multi_variable_declaration (variable_declaration (identifier) @def.var.name) @def.var))
(when_subject (variable_declaration (identifier) @def.var.name) @def.var)
(catch_block (identifier) @def.var @def.var.name . ":")

(class_parameter ["val" "var"] (identifier) @def.member.name . ":") @def.member
(class_parameter (identifier) @def.param.name . ":") @def.param
(parameter (identifier) @def.param.name . ":") @def.param
(setter "(" (identifier) @def.param.name) @def.function @def.param
(lambda_parameters (variable_declaration (identifier) @def.param.name) @def.param)
(lambda_parameters (multi_variable_declaration (variable_declaration (identifier) @def.param.name) @def.param))
(type_parameter (identifier) @def.param.name) @def.param

(navigation_expression (_) (identifier) @ref.member .)
(callable_reference (_) "::" (identifier) @ref.member)
(value_argument (identifier) @ref.member . "=")
(user_type "." (identifier) @ref.member)
(assignment . (identifier) @ref.bare.assigned)
(identifier) @ref.bare

(function_declaration name: (identifier) @call.callee (function_value_parameters) @call.params)
(class_declaration name: (identifier) @call.callee (primary_constructor (class_parameters) @call.params))
(call_expression . (identifier) @call.callee (value_arguments) @call.args)
(call_expression . (navigation_expression (_) (identifier) @call.callee .) (value_arguments) @call.args)

(import (qualified_identifier) @unfold.bare "as" (identifier) @unfold.name)
(import (qualified_identifier (identifier) @unfold.name .) @unfold.bare .)
(type_alias type: (identifier) @unfold.name . "=" . (_) @unfold.bare)
(property_declaration (variable_declaration (identifier) @unfold.name) "=" . [(identifier) (number_literal) (string_literal) (call_expression) (navigation_expression) (parenthesized_expression)] @unfold.bare)
(property_declaration (variable_declaration (identifier) @unfold.name) "=" . (_) @unfold.value)
(function_declaration name: (identifier) @unfold.name (function_body (block) @unfold.body))
(function_declaration name: (identifier) @unfold.name (function_body (block (return_expression (_) @unfold.result) .)))
(function_declaration name: (identifier) @unfold.name (function_body "=" . (_) @unfold.result))

(class_declaration name: (identifier) @generic.name (type_parameters) @generic.params)
(type_alias type: (identifier) @generic.name (type_parameters) @generic.params)
(function_declaration (type_parameters) @generic.params name: (identifier) @generic.name)
(user_type (identifier) @generic.name . (type_arguments) @generic.args)

(class_declaration name: (identifier) @part.name (delegation_specifiers (delegation_specifier) @part.super))
(object_declaration name: (identifier) @part.name (delegation_specifiers (delegation_specifier) @part.super))
(function_declaration (modifiers (member_modifier "override") @part.override) name: (identifier) @part.name)
(property_declaration (modifiers (member_modifier "override") @part.override) (variable_declaration (identifier) @part.name))
(class_parameter (modifiers (member_modifier "override") @part.override) (identifier) @part.name . ":")
(function_declaration name: (identifier) @part.name ":" . (_) @part.returned)

(assignment . (_) @assign.name)
(unary_expression operator: ["++" "--"] argument: (_) @assign.name)
(unary_expression argument: (_) @assign.name operator: ["++" "--"])

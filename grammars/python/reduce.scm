; What lop knows of names in Python. c/reduce.scm explains the captures.
;
; Only functions and classes have scopes. A variable exists from its first assignment on, unless the function declares that it comes
; from outside. Attributes are known by their name alone; an assignment outside of the class declares nothing.

(import_statement) @def.import
(import_from_statement) @def.import
(import_statement name: (dotted_name . (identifier) @def.import.name))
(import_from_statement name: (dotted_name . (identifier) @def.import.name))
(aliased_import alias: (identifier) @def.import.name)

(decorated_definition) @def.function
(class_definition body: (block (function_definition name: (identifier) @def.member.name) @def.member))
(class_definition body: (block (decorated_definition (function_definition name: (identifier) @def.member.name) @def.member)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @def.member.name) @def.member)))
(function_definition name: (identifier) @def.function.name body: (block) @def.function.body @scope.body) @def.function
(class_definition name: (identifier) @def.type.name body: (block) @def.struct.body) @def.type
(lambda) @def.function

(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(return_statement) @return

(parameters (_) @def.param)
(lambda_parameters (_) @def.param)
(parameters (identifier) @def.name)
(lambda_parameters (identifier) @def.name)
(default_parameter name: (identifier) @def.name)
(typed_default_parameter name: (identifier) @def.name)
(typed_parameter . (identifier) @def.name)
(list_splat_pattern (identifier) @def.name)
(dictionary_splat_pattern (identifier) @def.name)

(global_statement (identifier) @def.outer @def.outer.name)
(nonlocal_statement (identifier) @def.outer @def.outer.name)
(assignment left: (_) @def.binding)
(assignment left: (identifier) @def.name)
(for_statement left: (_) @def.binding)
(for_statement left: (identifier) @def.name)
(for_in_clause left: (_) @def.var)
(for_in_clause left: (identifier) @def.name)
(named_expression name: (identifier) @def.binding @def.binding.name)
(as_pattern_target (identifier) @def.binding @def.binding.name)
; In a case pattern a single word is a new variable, a word with a dot is not.
(case_pattern . (dotted_name . (identifier) @def.binding @def.binding.name .) .)
(keyword_pattern (identifier) @ref.field . "=")
(keyword_pattern (dotted_name . (identifier) @def.binding @def.binding.name .))
(splat_pattern (identifier) @def.binding @def.binding.name)
(case_pattern (as_pattern "as" (identifier) @def.binding @def.binding.name))
(pattern_list (identifier) @def.name)
(tuple_pattern (identifier) @def.name)
(list_pattern (identifier) @def.name)

(attribute attribute: (identifier) @ref.field)
(dotted_name (_) (identifier) @ref.field)
(keyword_argument name: (identifier) @ref.field)
(augmented_assignment left: (identifier) @ref.assigned)
(identifier) @ref

(class_definition body: (block (function_definition name: (identifier) @call.callee parameters: (parameters) @call.params.self)))
(function_definition name: (identifier) @call.callee parameters: (parameters) @call.params)
(call function: (identifier) @call.callee arguments: (argument_list) @call.args)
(call function: (attribute attribute: (identifier) @call.callee) arguments: (argument_list) @call.args)

(assignment left: (identifier) @unfold.name right: [(identifier) (integer) (string) (true) (false) (none) (call) (attribute) (subscript) (list) (tuple) (dictionary) (parenthesized_expression)] @unfold.bare)
(assignment left: (identifier) @unfold.name right: (_) @unfold.value)
; Statements that move would need other blanks before them.
(function_definition name: (identifier) @unfold.name body: (block . (return_statement (_) @unfold.result) .))
(assignment left: (identifier) @unfold.name right: (lambda body: (_) @unfold.result))

(assignment left: (_) @assign.name)
(augmented_assignment left: (_) @assign.name)
(for_statement left: (_) @assign.name)
(pattern_list (_) @assign.name)
(tuple_pattern (_) @assign.name)
(list_pattern (_) @assign.name)

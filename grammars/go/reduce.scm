; What lop knows of names in Go. c/reduce.scm explains the captures.
;
; Methods and fields are known by their name alone, and a method is removed with the type of its receiver. An import declares the last
; word of its path. Go rejects an unused import or local variable.

(import_declaration) @def.import
(import_spec name: (package_identifier) @def.import.name.used)
(import_spec !name path: (interpreted_string_literal) @def.import.name.used)

(function_declaration name: (identifier) @def.function.name) @def.function
(function_declaration body: (block) @def.function.body)
(method_declaration name: (field_identifier) @def.member.name) @def.member
(method_declaration body: (block) @def.function.body)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @ref.owner
  (pointer_type (type_identifier) @ref.owner)
])))
(func_literal) @def.function
(method_elem name: (field_identifier) @def.member.name) @def.member
(field_declaration name: (field_identifier) @def.member.name) @def.member
(type_declaration) @def.type
(type_spec name: (type_identifier) @def.type.name)
(type_alias name: (type_identifier) @def.type.name)
(struct_type (field_declaration_list) @def.struct.body)

(block) @scope
(for_statement) @scope
(if_statement) @scope
(expression_switch_statement) @scope
(type_switch_statement) @scope
(expression_case) @scope
(type_case) @scope
(default_case) @scope
(communication_case) @scope
(return_statement) @return

(parameter_declaration name: (identifier) @def.param.name) @def.param
(variadic_parameter_declaration name: (identifier) @def.param.name) @def.param
(type_parameter_declaration name: (identifier) @def.param.name) @def.param
(var_declaration) @def.var
(const_declaration) @def.var
(const_spec name: (identifier) @def.var.name)
(short_var_declaration left: (expression_list (identifier) @def.var.name.used)) @def.var
(block (statement_list (var_declaration (var_spec name: (identifier) @def.var.name.used))))
(var_spec name: (identifier) @def.var.name)
(range_clause left: (expression_list (identifier) @def.var @def.var.name.used) ":=")
(receive_statement left: (expression_list (identifier) @def.var @def.var.name.used) ":=")
(type_switch_statement alias: (expression_list (identifier) @def.var @def.var.name))

(labeled_statement label: (label_name) @def.label @def.label.name)
(label_name) @ref.label

(keyed_element key: (literal_element (identifier) @ref.bare))
(qualified_type name: (type_identifier) @ref.field)
(field_identifier) @ref.field
(package_identifier) @ref
(assignment_statement left: (expression_list (identifier) @ref.assigned))
(inc_statement (identifier) @ref.assigned)
(dec_statement (identifier) @ref.assigned)
(unary_expression operator: "&" operand: (identifier) @ref.assigned)
(identifier) @ref
(type_identifier) @ref

(function_declaration name: (identifier) @call.callee parameters: (parameter_list) @call.params)
(method_declaration name: (field_identifier) @call.callee parameters: (parameter_list) @call.params)
(method_elem name: (field_identifier) @call.callee parameters: (parameter_list) @call.params)
(call_expression function: (identifier) @call.callee arguments: (argument_list) @call.args)
(call_expression function: (selector_expression field: (field_identifier) @call.callee) arguments: (argument_list) @call.args)

(type_alias name: (type_identifier) @unfold.name !type_parameters type: (_) @unfold.bare)
(type_spec name: (type_identifier) @unfold.name !type_parameters type: (_) @unfold.bare)
(short_var_declaration left: (expression_list . (identifier) @unfold.name .) right: (expression_list . [(identifier) (int_literal) (interpreted_string_literal) (call_expression) (selector_expression) (index_expression) (parenthesized_expression) (composite_literal)] @unfold.bare .))
(short_var_declaration left: (expression_list . (identifier) @unfold.name .) right: (expression_list . [(identifier) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal) (rune_literal) (call_expression) (selector_expression) (index_expression) (slice_expression) (parenthesized_expression) (composite_literal) (binary_expression) (unary_expression) (func_literal) (type_assertion_expression) (true) (false) (nil)] @unfold.value .))
(var_spec . name: (identifier) @unfold.name value: (expression_list . [(identifier) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal) (rune_literal) (call_expression) (selector_expression) (index_expression) (slice_expression) (parenthesized_expression) (composite_literal) (binary_expression) (unary_expression) (func_literal) (type_assertion_expression) (true) (false) (nil)] @unfold.value .))
(const_spec . name: (identifier) @unfold.name value: (expression_list . [(identifier) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal) (rune_literal) (call_expression) (selector_expression) (index_expression) (slice_expression) (parenthesized_expression) (composite_literal) (binary_expression) (unary_expression) (func_literal) (type_assertion_expression) (true) (false) (nil)] @unfold.value .))
(function_declaration name: (identifier) @unfold.name body: (block) @unfold.body)
(function_declaration name: (identifier) @unfold.name body: (block (statement_list (return_statement (expression_list . [(identifier) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal) (rune_literal) (call_expression) (selector_expression) (index_expression) (slice_expression) (parenthesized_expression) (composite_literal) (binary_expression) (unary_expression) (func_literal) (type_assertion_expression) (true) (false) (nil)] @unfold.result .)) .)))

(function_declaration name: (identifier) @part.name result: (_) @part.returned)
(method_declaration name: (field_identifier) @part.name result: (_) @part.returned)

(assignment_statement left: (expression_list (_) @assign.name))
(range_clause left: (expression_list (_) @assign.name))
(receive_statement left: (expression_list (_) @assign.name))
(inc_statement (_) @assign.name)
(dec_statement (_) @assign.name)
(send_statement channel: (_) @assign.name)

; What lop knows of names in Rust. c/reduce.scm explains the captures.
;
; Items belong to their module, and a path can name them. What belongs to a type (associated functions and types, variants, fields) is
; known by its name alone. An impl is removed with its type. Types, values and macros share one name space, because they cannot be
; distinguished in the token trees of macros.

(use_declaration) @def.import
(use_declaration argument: (identifier) @def.import.name)
(use_declaration argument: (scoped_identifier name: (identifier) @def.import.name))
(use_as_clause alias: (identifier) @def.import.name)
(use_list (identifier) @def.import.name)
(use_list (scoped_identifier name: (identifier) @def.import.name))
(extern_crate_declaration name: (identifier) @def.import.name) @def.import

(impl_item) @def.type
(impl_item type: [
  (type_identifier) @ref.owner
  (generic_type type: (type_identifier) @ref.owner)
])
(impl_item trait: [
  (type_identifier) @ref.owner
  (generic_type type: (type_identifier) @ref.owner)
])
(impl_item body: (declaration_list (function_item name: (identifier) @def.member.name) @def.member))
(impl_item body: (declaration_list (const_item name: (identifier) @def.member.name) @def.member))
(impl_item body: (declaration_list (type_item name: (type_identifier) @def.member.name) @def.member))
(trait_item body: (declaration_list (function_item name: (identifier) @def.member.name) @def.member))
(trait_item body: (declaration_list (function_signature_item name: (identifier) @def.member.name) @def.member))
(trait_item body: (declaration_list (const_item name: (identifier) @def.member.name) @def.member))
(associated_type name: (type_identifier) @def.member.name) @def.member
(enum_variant name: (identifier) @def.member.name) @def.member
(field_declaration name: (field_identifier) @def.member.name) @def.member

(mod_item name: (identifier) @def.type.name) @def.type
(mod_item body: (declaration_list) @scope.open)
(function_item name: (identifier) @def.function.name) @def.function
(function_item body: (block) @def.function.body)
(function_signature_item name: (identifier) @def.function.name) @def.function
(macro_definition name: (identifier) @def.function.name) @def.function
(struct_item name: (type_identifier) @def.type.name) @def.type
(struct_item body: (field_declaration_list) @def.struct.body)
(union_item name: (type_identifier) @def.type.name) @def.type
(enum_item name: (type_identifier) @def.type.name body: (enum_variant_list) @def.struct.body) @def.type
(trait_item name: (type_identifier) @def.type.name) @def.type
(type_item name: (type_identifier) @def.type.name) @def.type
(const_item name: (identifier) @def.var.name) @def.var
(static_item name: (identifier) @def.var.name) @def.var

(block) @scope
(match_arm) @scope
(for_expression) @scope
(if_expression) @scope
(while_expression) @scope
(function_item body: (block (return_expression) @return .))
(function_item return_type: (_) body: (block (_expression) @return .))

(closure_expression) @def.function
(parameter) @def.param
(closure_parameters (_) @def.param)
(type_parameter name: (type_identifier) @def.param.name) @def.param
(const_parameter name: (identifier) @def.param.name) @def.param
(lifetime_parameter name: (lifetime (identifier) @def.param.name)) @def.param
(let_declaration) @def.var
(let_condition pattern: (_) @def.var)
(match_pattern) @def.var
(for_expression pattern: (_) @def.var)

; In a pattern a word that begins with a small letter is a new variable; others may be constants.
(parameter pattern: (identifier) @def.name)
(closure_parameters (identifier) @def.name)
(let_declaration pattern: (identifier) @def.name)
((let_condition pattern: (identifier) @def.name) (#match? @def.name "^[a-z_]"))
((match_pattern . (identifier) @def.name) (#match? @def.name "^[a-z_]"))
(for_expression pattern: (identifier) @def.name)
((tuple_pattern (identifier) @def.name) (#match? @def.name "^[a-z_]"))
((tuple_struct_pattern type: (_) (identifier) @def.name) (#match? @def.name "^[a-z_]"))
((slice_pattern (identifier) @def.name) (#match? @def.name "^[a-z_]"))
((or_pattern (identifier) @def.name) (#match? @def.name "^[a-z_]"))
((reference_pattern (identifier) @def.name) (#match? @def.name "^[a-z_]"))
(mut_pattern (identifier) @def.name)
(ref_pattern (identifier) @def.name)
(captured_pattern . (identifier) @def.name)
((field_pattern pattern: (identifier) @def.name) (#match? @def.name "^[a-z_]"))
(field_pattern name: (shorthand_field_identifier) @def.name)

(label (identifier) @ref.label)
(scoped_identifier name: (identifier) @ref.member)
(scoped_type_identifier name: (type_identifier) @ref.member)
(type_binding name: (type_identifier) @ref.member)
(field_identifier) @ref.member
(assignment_expression left: (identifier) @ref.bare.assigned)
(compound_assignment_expr left: (identifier) @ref.bare.assigned)
(reference_expression (mutable_specifier) value: (identifier) @ref.bare.assigned)
(identifier) @ref.bare
(type_identifier) @ref.bare

(function_item name: (identifier) @call.callee parameters: (parameters . (self_parameter)) @call.params.self)
(function_signature_item name: (identifier) @call.callee parameters: (parameters . (self_parameter)) @call.params.self)
(function_item name: (identifier) @call.callee parameters: (parameters) @call.params)
(function_signature_item name: (identifier) @call.callee parameters: (parameters) @call.params)
(call_expression function: (identifier) @call.callee arguments: (arguments) @call.args)
(call_expression function: (scoped_identifier name: (identifier) @call.callee) arguments: (arguments) @call.args)
(call_expression function: (field_expression field: (field_identifier) @call.callee) arguments: (arguments) @call.args)
(call_expression function: (generic_function function: (identifier) @call.callee) arguments: (arguments) @call.args)

(use_declaration argument: (scoped_identifier name: (identifier) @unfold.name) @unfold.bare)
(use_declaration argument: (use_as_clause path: (_) @unfold.bare alias: (identifier) @unfold.name))
(type_item name: (type_identifier) @unfold.name !type_parameters type: (_) @unfold.bare)
(let_declaration pattern: (identifier) @unfold.name value: [(identifier) (integer_literal) (string_literal) (boolean_literal) (call_expression) (field_expression) (index_expression) (macro_invocation) (parenthesized_expression) (tuple_expression) (array_expression) (scoped_identifier)] @unfold.bare)
(let_declaration pattern: (identifier) @unfold.name value: (_) @unfold.value)
(const_item name: (identifier) @unfold.name value: (_) @unfold.value)
(static_item name: (identifier) @unfold.name value: (_) @unfold.value)
(function_item name: (identifier) @unfold.name body: (block) @unfold.body)
(function_item name: (identifier) @unfold.name return_type: (_) body: (block [(unary_expression) (reference_expression) (try_expression) (binary_expression) (type_cast_expression) (call_expression) (scoped_identifier) (await_expression) (field_expression) (array_expression) (tuple_expression) (macro_invocation) (unit_expression) (closure_expression) (parenthesized_expression) (struct_expression) (identifier) (self) (index_expression) (if_expression) (match_expression) (integer_literal) (float_literal) (string_literal) (raw_string_literal) (char_literal) (boolean_literal)] @unfold.result .))
(function_item name: (identifier) @unfold.name body: (block (expression_statement (return_expression (_) @unfold.result)) .))
(mod_item name: (identifier) @unfold.name body: (declaration_list) @unfold.members)

(struct_item name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(enum_item name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(trait_item name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(type_item name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(function_item name: (identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(generic_type type: (type_identifier) @generic.name type_arguments: (type_arguments) @generic.args)
(generic_function function: (identifier) @generic.name type_arguments: (type_arguments) @generic.args)

(assignment_expression left: (_) @assign.name)
(assignment_expression left: [(tuple_expression (_) @assign.name) (array_expression (_) @assign.name)])
(assignment_expression left: (tuple_expression (tuple_expression (_) @assign.name)))
(assignment_expression left: (struct_expression body: (field_initializer_list [(shorthand_field_initializer (identifier) @assign.name) (field_initializer value: (_) @assign.name)])))
(compound_assignment_expr left: (_) @assign.name)
(reference_expression (mutable_specifier) value: (_) @assign.name)

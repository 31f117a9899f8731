; What lop knows of C beyond its grammar: which nodes declare names, which use them, and which lists can be emptied.
;
; @def.KIND           something that declares names: a function, var, param, type, struct, enumerator, field or label. Other
;                     languages also have: member, known by its name alone in the whole program; import, which declares what the
;                     program does not; binding, which exists from its first assignment on in the whole function; and outer, a name
;                     that the function does not declare. Of several members, imports or bindings any is enough for a use
; @def.KIND.name      the name that it declares
; @def.KIND.body      a list that is part of it, and could be empty or be replaced by a filler of language.toml: in braces, or a
;                     node of a kind that has a filler
; @def.KIND.name.used the same where the language rejects a name that nothing uses: it is removed with its last use
; @def.name           a name in a declarator or pattern: declared by the innermost @def around it, or a use if a scope is nearer
; @ref, @ref.struct, @ref.field, @ref.label
;                     a use of a name. Tags, fields and labels have name spaces of their own
; @ref.outside        a use of a name from outside of the program, whatever the program declares
; @ref.bare, @ref.any a use of a name, or of a member; the second also of a name that only one open scope declares
; @ref.member         a use of a member, or of a name that only one open scope declares
; @ref.owner, @ref.member.owner
;                     a use in a declaration that is removed with the used name: a method that stands outside of its class
; @scope, @scope.body, @scope.open
;                     declarations inside end with it. The second is the body of a function, the third is visible from outside.
;                     A parameter belongs to the innermost @def around its own
; @call.callee        a name that is called, or that is declared as callable
; @call.args          in the same pattern: the list of arguments of that call, in its brackets
; @call.params        in the same pattern: the list of its parameters
; @call.params.self   the same where the first parameter is the receiver before the dot of a call
; @generic.name       a name that has type parameters, where it is declared or used
; @generic.params     in the same pattern: the list of its type parameters, in its brackets
; @generic.args       in the same pattern: the list of type arguments of that use
; @unfold.name        a name that stands for something, where it is declared
; @unfold.value       in the same pattern: what it stands for, which could be in the place of each use: in parentheses if it has more
;                     than one token
; @unfold.bare        the same without parentheses
; @unfold.definition  the body of a structure of this name, which could stand behind the name in the place of its first use
; @unfold.members     what a namespace of this name declares, in its brackets, which could stand in its place
; @unfold.body        the body of a function of this name, in its brackets, whose statements could stand before a call
; @unfold.result      what the last statement of that body returns, or what the function is without such a body
; @unfold.update      an assignment to the name that is a statement of its own, and could stand in the place of a use
; @unfold.start       what is assigned to the name, which could be the value of its declaration
; @unfold.member      what is assigned to a member of it, which could be the first value of its declaration
; @unfold.type        the type of a member of this name, which could be that of a variable in the place of the structure
; @unfold.element     the declarator of an array or a pointer of this name: the name alone would declare one element
; @part.name          a name of which a part of its declaration is captured
; @part.super         in the same pattern: a type that the type of this name extends
; @part.override      in the same pattern: the word or annotation that says that the member of this name overrides another
; @part.returned      in the same pattern: the type of what the function of this name returns, in languages that reject a value where there is none
; @ref.assigned, @ref.any.assigned, @ref.bare.assigned
;                     a use that changes what the name stands for: it is not unfolded
; @assign.name        what an assignment changes, or another statement that gives a new value: the first name in it that is no
;                     type is the one. Types before it count too: a class may be a value
; @return             a statement that a body keeps when it is emptied, if it is the last
;
; Where several patterns capture one name, the first of them counts.

(function_definition body: (compound_statement) @def.function.body) @def.function
(declaration) @def.var
(parameter_declaration) @def.param
(type_definition) @def.type
(field_declaration) @def.field

(compound_statement) @scope
(for_statement) @scope
(return_statement) @return

; Declarators nest to any depth and declare the innermost name. The parser treats int32_t and similar names as primitive types, even
; where a typedef declares them.
(_ declarator: (identifier) @def.name)
(_ declarator: (type_identifier) @def.name)
(_ declarator: (primitive_type) @def.name)
(_ declarator: (field_identifier) @def.name)
(parenthesized_declarator [(identifier) (type_identifier) (primitive_type) (field_identifier)] @def.name)
(attributed_declarator [(identifier) (type_identifier) (primitive_type) (field_identifier)] @def.name)

(struct_specifier name: (type_identifier) @def.struct.name body: (field_declaration_list) @def.struct.body) @def.struct
(union_specifier name: (type_identifier) @def.struct.name body: (field_declaration_list) @def.struct.body) @def.struct
(struct_specifier !name body: (field_declaration_list) @def.struct.body)
(union_specifier !name body: (field_declaration_list) @def.struct.body)
(enum_specifier name: (type_identifier) @def.struct.name body: (enumerator_list)) @def.struct
(enumerator name: (identifier) @def.enumerator.name) @def.enumerator

(preproc_def name: (identifier) @def.var.name) @def.var
(preproc_function_def name: (identifier) @def.function.name) @def.function
(preproc_params (identifier) @def.param.name)

(labeled_statement label: (statement_identifier) @def.label.name) @def.label
(goto_statement label: (statement_identifier) @ref.label)
(gnu_asm_goto_list label: (identifier) @ref.label)

(struct_specifier name: (type_identifier) @ref.struct)
(union_specifier name: (type_identifier) @ref.struct)
(enum_specifier name: (type_identifier) @ref.struct)

(field_identifier) @ref.field
(assignment_expression left: (identifier) @ref.assigned)
(update_expression argument: (identifier) @ref.assigned)
(pointer_expression operator: "&" argument: (identifier) @ref.assigned)
(identifier) @ref
(type_identifier) @ref
(primitive_type) @ref

(init_declarator declarator: [(identifier) @unfold.name (pointer_declarator declarator: (identifier) @unfold.name)] value: [(identifier) (number_literal) (char_literal) (string_literal) (parenthesized_expression) (call_expression) (subscript_expression) (field_expression)] @unfold.bare)
(init_declarator declarator: [(identifier) @unfold.name (pointer_declarator declarator: (identifier) @unfold.name)] value: (expression) @unfold.value)
(type_definition type: (_) @unfold.bare declarator: [(type_identifier) (primitive_type)] @unfold.name)
(struct_specifier name: (type_identifier) @unfold.name body: (field_declaration_list) @unfold.definition)
(union_specifier name: (type_identifier) @unfold.name body: (field_declaration_list) @unfold.definition)
(enum_specifier name: (type_identifier) @unfold.name body: (enumerator_list) @unfold.definition)
(function_definition declarator: (function_declarator declarator: (identifier) @unfold.name) body: (compound_statement) @unfold.body)
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @unfold.name)) body: (compound_statement) @unfold.body)
(function_definition declarator: (function_declarator declarator: (identifier) @unfold.name) body: (compound_statement (return_statement (_) @unfold.result) .))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @unfold.name)) body: (compound_statement (return_statement (_) @unfold.result) .))
(expression_statement (assignment_expression left: (identifier) @unfold.name) @unfold.update)
(expression_statement (update_expression argument: (identifier) @unfold.name) @unfold.update)
(assignment_expression left: (identifier) @unfold.name operator: "=" right: (_) @unfold.start)
(assignment_expression left: (field_expression argument: (identifier) @unfold.name operator: ".") operator: "=" right: (_) @unfold.member)

(field_declaration type: (_) @unfold.type declarator: (field_identifier) @unfold.name)
(array_declarator declarator: (identifier) @unfold.name) @unfold.element
(pointer_declarator declarator: (identifier) @unfold.name) @unfold.element

(call_expression function: (identifier) @call.callee arguments: (argument_list) @call.args)
(function_declarator declarator: (identifier) @call.callee parameters: (parameter_list) @call.params)
(preproc_function_def name: (identifier) @call.callee parameters: (preproc_params) @call.params)

(assignment_expression left: (_) @assign.name)
(update_expression argument: (_) @assign.name)

; What lop knows of names in TypeScript beyond those of JavaScript (javascript/names.scm).

(formal_parameters (_) @def.param)
(required_parameter pattern: (identifier) @def.name)
(optional_parameter pattern: (identifier) @def.name)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @def.member.name) @def.member
(method_signature name: (property_identifier) @def.member.name) @def.member
(abstract_method_signature name: (property_identifier) @def.member.name) @def.member
(property_signature name: (property_identifier) @def.member.name) @def.member

(class_declaration name: (type_identifier) @def.type.name)
(abstract_class_declaration name: (type_identifier) @def.type.name body: (class_body) @def.struct.body) @def.type
(interface_declaration name: (type_identifier) @def.type.name body: (interface_body) @def.struct.body) @def.type
(type_alias_declaration name: (type_identifier) @def.type.name) @def.type
(enum_declaration name: (identifier) @def.type.name) @def.type
(enum_body name: (property_identifier) @def.member @def.member.name)
(enum_assignment name: (property_identifier) @def.member.name) @def.member
(function_signature name: (identifier) @def.function.name) @def.function
(internal_module name: (identifier) @def.type.name) @def.type
(import_require_clause (identifier) @def.import.name)
(type_parameter name: (type_identifier) @def.param.name) @def.param

(nested_type_identifier name: (type_identifier) @ref.field)
(type_identifier) @ref

(function_signature name: (identifier) @call.callee parameters: (formal_parameters) @call.params)
(method_signature name: (property_identifier) @call.callee parameters: (formal_parameters) @call.params)
(abstract_method_signature name: (property_identifier) @call.callee parameters: (formal_parameters) @call.params)

(type_alias_declaration name: (type_identifier) @unfold.name !type_parameters value: [(predefined_type) (type_identifier) (generic_type) (object_type) (array_type) (tuple_type) (literal_type)] @unfold.bare)
(type_alias_declaration name: (type_identifier) @unfold.name !type_parameters value: (_) @unfold.value)
(internal_module name: (identifier) @unfold.name body: (statement_block) @unfold.members)

(class_declaration name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(interface_declaration name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(type_alias_declaration name: (type_identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(function_declaration name: (identifier) @generic.name type_parameters: (type_parameters) @generic.params)
(generic_type name: (type_identifier) @generic.name type_arguments: (type_arguments) @generic.args)

(class_declaration name: (type_identifier) @part.name (class_heritage (extends_clause value: (_) @part.super)))
(class_declaration name: (type_identifier) @part.name (class_heritage (implements_clause (_) @part.super)))
(abstract_class_declaration name: (type_identifier) @part.name (class_heritage (extends_clause value: (_) @part.super)))
(abstract_class_declaration name: (type_identifier) @part.name (class_heritage (implements_clause (_) @part.super)))
(interface_declaration name: (type_identifier) @part.name (extends_type_clause type: (_) @part.super))
(method_definition (override_modifier) @part.override name: (property_identifier) @part.name)
(public_field_definition (override_modifier) @part.override name: (property_identifier) @part.name)
(function_declaration name: (identifier) @part.name return_type: (type_annotation (_) @part.returned))
(method_definition name: (property_identifier) @part.name return_type: (type_annotation (_) @part.returned))

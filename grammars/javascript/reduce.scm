; What lop knows of names in JavaScript only. It stands before names.scm, which TypeScript shares.

(formal_parameters (_) @def.param)
(formal_parameters (identifier) @def.name)
(field_definition property: [(property_identifier) (private_property_identifier)] @def.member.name) @def.member

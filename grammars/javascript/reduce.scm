; What lop knows of names in JavaScript alone. Before names.scm, which has what other languages share.

(formal_parameters (_) @def.param)
(formal_parameters (identifier) @def.name)
(field_definition property: [(property_identifier) (private_property_identifier)] @def.member.name) @def.member

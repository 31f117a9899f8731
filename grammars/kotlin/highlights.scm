; What to paint in Kotlin; the parser's crate has no such query. Later patterns paint over earlier ones.

(identifier) @variable

[(line_comment) (block_comment) (shebang)] @comment

[(string_literal) (multiline_string_literal) (character_literal)] @string
(escape_sequence) @string.escape
(interpolation ["$" "${" "}"] @punctuation.special)
[(number_literal) (float_literal)] @number
; To the parser these are names.
((identifier) @constant.builtin (#any-of? @constant.builtin "true" "false" "null"))
((identifier) @keyword (#any-of? @keyword "break" "continue"))

[
  "as" "as?" "by" "catch" "class" "companion" "constructor" "do" "else" "finally" "for" "fun" "get" "if"
  "import" "in" "!in" "init" "interface" "is" "object" "package" "return" "set" "throw" "try" "typealias" "val" "var" "when"
  "where" "while" "return@" "super@" "this@"
] @keyword
[
  (class_modifier) (function_modifier) (inheritance_modifier) (member_modifier) (parameter_modifier) (platform_modifier)
  (property_modifier) (reification_modifier) (variance_modifier) (visibility_modifier)
] @keyword
[(this_expression) (super_expression)] @variable.builtin

[
  "=" "==" "===" "!=" "!==" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "++" "--" "+=" "-=" "*=" "/=" "%=" "&&" "||" "!" "!!" "?:"
  ".." "..<" "->"
] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["." "?." "," ":" "::" ";"] @punctuation.delimiter

(user_type (identifier) @type)
(class_declaration name: (identifier) @type)
(object_declaration name: (identifier) @type)
(type_alias type: (identifier) @type)
(type_parameter (identifier) @type)
(enum_entry (identifier) @constant)
(package_header (qualified_identifier (identifier) @module))

(navigation_expression (_) (identifier) @property)
(parameter (identifier) @variable.parameter)
(class_parameter (identifier) @variable.parameter)
(function_declaration name: (identifier) @function)
(call_expression (identifier) @function.call)
(call_expression (navigation_expression (_) (identifier) @function.call))
(annotation ["@" "["] @attribute)
(annotation (user_type (identifier) @attribute))
(annotation (constructor_invocation (user_type (identifier) @attribute)))
(label) @label

" Colours for theories and programs of smoothish. The words are those of the language: a test compares them.
if exists("b:current_syntax")
  finish
endif
syntax iskeyword @,48-57,_,'
syntax keyword smoothishProgram let rec in if then else match with do tt ff
syntax keyword smoothishTheory theory extends cite about type claim within of because unreached law model refute refuted rejects sample undefined where derives
syntax match smoothishType /\<[A-Z][A-Za-z0-9_']*\|[ℜℝℕ]/
syntax match smoothishNumber /\<\d\+\(\.\d\+\)\?\(e[-+]\?\d\+\)\?\>/
syntax match smoothishLambda /[\\λ]\|=>\|⇒/
syntax region smoothishString start=/"/ end=/"/
syntax match smoothishComment /!\([=!\[]\)\@!.*$/
highlight default link smoothishProgram Keyword
highlight default link smoothishTheory Statement
highlight default link smoothishType Type
highlight default link smoothishNumber Number
highlight default link smoothishLambda Function
highlight default link smoothishString String
highlight default link smoothishComment Comment
let b:current_syntax = "smoothish"

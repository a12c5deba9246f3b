//! Mutants of the rules that stand in a table of rows: one mutation for each row.

/// Defines a list of mutations of the functions of one kind, with their names and texts. The type's `written` gives the
/// rules in words.
macro_rules! rules_of_rows {
    ($kind:ident $list:ident $about:literal $ending:literal) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $list(pub $kind);

        impl $list {
            /// All rules of the list.
            pub const ALL: &[Self] = &{
                // a loop, since iterators are not available in constants
                let mut all = [Self($kind::ALL[0]); $kind::ALL.len()];
                let mut index = 1;
                while index < all.len() {
                    all[index] = Self($kind::ALL[index]);
                    index += 1;
                }
                all
            };

            /// Returns the name of the mutation.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.texts().0
            }

            /// Returns the name, the right rule and the wrong rule.
            fn texts(self) -> &'static (&'static str, String, String) {
                // made once: the rules in words are formatted, and `rule` returns a static text
                type Texts = rustc_hash::FxHashMap<$list, (&'static str, String, String)>;
                static TEXTS: std::sync::LazyLock<Texts> = std::sync::LazyLock::new(|| {
                    let texts = |rule: &$list| {
                        let (right, instead) = rule.written();
                        // a name lives as long as the program, like those of all rules
                        let name: &'static str =
                            Box::leak(format!("{}{}", snake_case(rule.0.name()), $ending).into_boxed_str());
                        (*rule, (name, right, instead))
                    };
                    $list::ALL.iter().map(texts).collect()
                });
                &TEXTS[&self]
            }

            /// Returns the right rule in words.
            #[must_use]
            pub fn rule(self) -> &'static str {
                &self.texts().1
            }

            /// Returns the wrong rule in words.
            #[must_use]
            pub fn instead(self) -> &'static str {
                &self.texts().2
            }
        }
    };
}
pub(super) use rules_of_rows;

/// Returns a name of the language with `_` before each capital letter, which becomes a small one: `besselJ0` is `bessel_j0`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

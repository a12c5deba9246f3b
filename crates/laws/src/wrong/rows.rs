//! The rules that stand in a table of rows: a mutation for each row.

/// A list of mutations of the functions of one kind, with their names and texts. What a rule is in words, `written` says.
macro_rules! rules_of_rows {
    ($kind:ident $list:ident $about:literal $ending:literal $($variant:ident $name:ident)*) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $list(pub $kind);

        impl $list {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self($kind::$variant)),*];

            /// The name of the mutation.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.texts().0
            }

            /// The name, the rule as it is right, and what the mutant does instead.
            fn texts(self) -> &'static (&'static str, String, String) {
                type Texts = rustc_hash::FxHashMap<$list, (&'static str, String, String)>;
                static TEXTS: std::sync::LazyLock<Texts> = std::sync::LazyLock::new(|| {
                    let names = [$(concat!(stringify!($name), $ending)),*];
                    let texts = |(rule, name): (&$list, _)| {
                        let (right, instead) = rule.written();
                        (*rule, (name, right, instead))
                    };
                    $list::ALL.iter().zip(names).map(texts).collect()
                });
                &TEXTS[&self]
            }

            /// The rule as it is right.
            #[must_use]
            pub fn rule(self) -> &'static str {
                &self.texts().1
            }

            /// What the mutant does instead.
            #[must_use]
            pub fn instead(self) -> &'static str {
                &self.texts().2
            }
        }
    };
}
pub(super) use rules_of_rows;

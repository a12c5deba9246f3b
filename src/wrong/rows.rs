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
                match self.0 { $($kind::$variant => concat!(stringify!($name), $ending)),* }
            }

            /// The rule as it is right, and what the mutant does instead.
            fn texts(self) -> &'static (String, String) {
                static TEXTS: std::sync::LazyLock<Vec<(String, String)>> =
                    std::sync::LazyLock::new(|| $list::ALL.iter().map(|rule| rule.written()).collect());
                &TEXTS[self.0 as usize]
            }

            /// The rule as it is right.
            #[must_use]
            pub fn rule(self) -> &'static str {
                &self.texts().0
            }

            /// What the mutant does instead.
            #[must_use]
            pub fn instead(self) -> &'static str {
                &self.texts().1
            }
        }
    };
}
pub(super) use rules_of_rows;

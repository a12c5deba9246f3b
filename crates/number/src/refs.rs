//! The bibliography as code: one item for each paper. Documentation links to the source of a definition here, and a theory's
//! `cite` is checked against it when it is loaded.
//!
//! The four papers whose languages this library implements are [`SHERMAN_2021`], [`ABADI_PLOTKIN_2020`],
//! [`LEW_2021`] and [`HUOT_2022`]. Where the documentation gives a number such as S40 or E44, the book's chapter
//! *Correspondence* says what it stands for.
//!
//! ```
//! use smoothish_number::refs;
//!
//! let paper = refs::find_by_key("Sherman2021").unwrap();
//! assert_eq!(paper, &refs::SHERMAN_2021);
//! assert_eq!(refs::find_by_key("Sherman2020"), None);
//! ```

use std::fmt;

/// A published text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BibliographyEntry {
    /// The key that a theory's `cite` uses: names and year, `Sherman2021`.
    pub key: &'static str,
    /// The authors, in the order of the title page.
    pub authors: &'static [&'static str],
    /// The title.
    pub title: &'static str,
    /// The journal, the proceedings or the publisher.
    pub venue: &'static str,
    /// The year of publication.
    pub year: u16,
    /// The digital object identifier; `None` if there is none.
    pub doi: Option<&'static str>,
}

impl fmt::Display for BibliographyEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (authors, title) = (self.authors.join(", "), self.title);
        write!(f, "{authors}. {title}. {}, {}.", self.venue, self.year)?;
        match self.doi {
            Some(doi) => write!(f, " doi:{doi}"),
            None => Ok(()),
        }
    }
}

/// Returns the paper with a key; `None` for an unknown key.
#[must_use]
pub fn find_by_key(key: &str) -> Option<&'static BibliographyEntry> {
    ALL.iter().copied().find(|reference| reference.key == key)
}

/// Every item of this module.
pub const ALL: &[&BibliographyEntry] = &[
    &SHERMAN_2021,
    &ABADI_PLOTKIN_2020,
    &LEW_2021,
    &HUOT_2022,
    &HUOT_2023,
    &CLARKE_1990,
    &DI_GIANANTONIO_EDALAT_2013,
    &EDALAT_LIEUTIER_2004,
    &ELLIOTT_2008,
    &LEE_2020,
    &SHERMAN_2019,
    &DANSKIN_1967,
    &MOORE_2009,
    &KNUTH_1997,
    &IEEE_1788_2015,
    &FOUSSE_2007,
    &SIBIDANOV_2022,
    &BLUTE_COCKETT_SEELY_2009,
    &COCKETT_CRUTTWELL_2014,
    &BOMAN_1967,
    &FEDERER_1969,
];

/// **S** in this project's numbering: the language λ_S, its semantics in presheaves over smoothish maps, and the
/// primitives for integration, root finding and optimization.
pub const SHERMAN_2021: BibliographyEntry = BibliographyEntry {
    key: "Sherman2021",
    authors: &["Benjamin Sherman", "Jesse Michel", "Michael Carbin"],
    title: "λS: Computable Semantics for Differentiable Programming with Higher-Order Functions and Datatypes",
    venue: "Proceedings of the ACM on Programming Languages 5 (POPL), article 3",
    year: 2021,
    doi: Some("10.1145/3434284"),
};

/// **A** in this project's numbering: a first-order language with partial conditionals, recursion and reverse-mode
/// differentiation; its operational and denotational semantics.
pub const ABADI_PLOTKIN_2020: BibliographyEntry = BibliographyEntry {
    key: "AbadiPlotkin2020",
    authors: &["Martín Abadi", "Gordon D. Plotkin"],
    title: "A Simple Differentiable Programming Language",
    venue: "Proceedings of the ACM on Programming Languages 4 (POPL), article 38",
    year: 2020,
    doi: Some("10.1145/3371106"),
};

/// **W** in this project's numbering: ωPAP spaces, piecewise conditionals, recursion and probability.
pub const LEW_2021: BibliographyEntry = BibliographyEntry {
    key: "Lew2021",
    authors: &["Alexander K. Lew", "Mathieu Huot", "Vikash K. Mansinghka"],
    title: "Towards Denotational Semantics of AD for Higher-Order, Recursive, Probabilistic Languages",
    venue: "arXiv:2111.15456",
    year: 2021,
    doi: Some("10.48550/arXiv.2111.15456"),
};

/// **H** in this project's numbering: automatic differentiation as a structure-preserving macro, and its correctness
/// in diffeological spaces by gluing.
pub const HUOT_2022: BibliographyEntry = BibliographyEntry {
    key: "Huot2022",
    authors: &["Mathieu Huot", "Sam Staton", "Matthijs Vákár"],
    title: "Higher Order Automatic Differentiation of Higher Order Functions",
    venue: "Logical Methods in Computer Science 18(1), article 41",
    year: 2022,
    doi: Some("10.46298/lmcs-18(1:41)2022"),
};

/// The full account of ωPAP spaces, which [`LEW_2021`] announces.
pub const HUOT_2023: BibliographyEntry = BibliographyEntry {
    key: "Huot2023",
    authors: &["Mathieu Huot", "Alexander K. Lew", "Vikash K. Mansinghka", "Sam Staton"],
    title: "ωPAP Spaces: Reasoning Denotationally About Higher-Order, Recursive Probabilistic and Differentiable Programs",
    venue: "arXiv:2302.10636",
    year: 2023,
    doi: Some("10.48550/arXiv.2302.10636"),
};

/// Generalised gradients of Lipschitz functions: the set that a derivative at a kink is enclosed by.
pub const CLARKE_1990: BibliographyEntry = BibliographyEntry {
    key: "Clarke1990",
    authors: &["Frank H. Clarke"],
    title: "Optimization and Nonsmooth Analysis",
    venue: "Classics in Applied Mathematics 5, SIAM",
    year: 1990,
    doi: Some("10.1137/1.9781611971309"),
};

/// The first typed language with Clarke derivatives.
pub const DI_GIANANTONIO_EDALAT_2013: BibliographyEntry = BibliographyEntry {
    key: "DiGianantonioEdalat2013",
    authors: &["Pietro Di Gianantonio", "Abbas Edalat"],
    title: "A Language for Differentiable Functions",
    venue: "Foundations of Software Science and Computation Structures, LNCS 7794",
    year: 2013,
    doi: Some("10.1007/978-3-642-37075-5_22"),
};

/// The interval-valued derivative (L-derivative), and integration, in domain theory.
pub const EDALAT_LIEUTIER_2004: BibliographyEntry = BibliographyEntry {
    key: "EdalatLieutier2004",
    authors: &["Abbas Edalat", "André Lieutier"],
    title: "Domain theory and differential calculus (functions of one variable)",
    venue: "Mathematical Structures in Computer Science 14(6)",
    year: 2004,
    doi: Some("10.1017/S0960129504004359"),
};

/// Towers of derivatives as a representation of smooth maps.
pub const ELLIOTT_2008: BibliographyEntry = BibliographyEntry {
    key: "Elliott2008",
    authors: &["Conal Elliott"],
    title: "Higher-dimensional, higher-order derivatives, functionally",
    venue: "conal.net/blog",
    year: 2008,
    doi: None,
};

/// Piecewise analytic functions under analytic partition, and intensional derivatives.
pub const LEE_2020: BibliographyEntry = BibliographyEntry {
    key: "Lee2020",
    authors: &["Wonyeol Lee", "Hangyeol Yu", "Xavier Rival", "Hongseok Yang"],
    title: "On Correctness of Automatic Differentiation for Non-Differentiable Functions",
    venue: "Advances in Neural Information Processing Systems 33; arXiv:2006.06903",
    year: 2020,
    doi: Some("10.48550/arXiv.2006.06903"),
};

/// Computable integration, maximisation and root finding on streams of intervals (MarshallB).
pub const SHERMAN_2019: BibliographyEntry = BibliographyEntry {
    key: "Sherman2019",
    authors: &["Benjamin Sherman", "Jesse Michel", "Michael Carbin"],
    title: "Sound and Robust Solid Modeling via Exact Real Arithmetic and Continuity",
    venue: "Proceedings of the ACM on Programming Languages 3 (ICFP)",
    year: 2019,
    doi: None,
};

/// The derivative of a maximum, by way of its maximisers.
pub const DANSKIN_1967: BibliographyEntry = BibliographyEntry {
    key: "Danskin1967",
    authors: &["John M. Danskin"],
    title: "The Theory of Max-Min and its Application to Weapons Allocation Problems",
    venue: "Springer",
    year: 1967,
    doi: Some("10.1007/978-3-642-46092-0"),
};

/// Interval arithmetic: the fundamental theorem, mean value forms, interval Newton.
pub const MOORE_2009: BibliographyEntry = BibliographyEntry {
    key: "Moore2009",
    authors: &["Ramon E. Moore", "R. Baker Kearfott", "Michael J. Cloud"],
    title: "Introduction to Interval Analysis",
    venue: "SIAM",
    year: 2009,
    doi: Some("10.1137/1.9780898717716"),
};

/// Floor, ceiling and the remainder with the sign of the divisor.
pub const KNUTH_1997: BibliographyEntry = BibliographyEntry {
    key: "Knuth1997",
    authors: &["Donald E. Knuth"],
    title: "The Art of Computer Programming, Volume 1: Fundamental Algorithms, third edition",
    venue: "Addison-Wesley",
    year: 1997,
    doi: None,
};

/// The standard for interval arithmetic; the decorations after which definedness travels with a value here.
pub const IEEE_1788_2015: BibliographyEntry = BibliographyEntry {
    key: "IEEE1788",
    authors: &["IEEE Microprocessor Standards Committee"],
    title: "IEEE Standard for Interval Arithmetic",
    venue: "IEEE Std 1788-2015",
    year: 2015,
    doi: Some("10.1109/IEEESTD.2015.7140721"),
};

/// MPFR, the arithmetic of arbitrary precision.
pub const FOUSSE_2007: BibliographyEntry = BibliographyEntry {
    key: "Fousse2007",
    authors: &["Laurent Fousse", "Guillaume Hanrot", "Vincent Lefèvre", "Patrick Pélissier", "Paul Zimmermann"],
    title: "MPFR: A Multiple-Precision Binary Floating-Point Library with Correct Rounding",
    venue: "ACM Transactions on Mathematical Software 33(2)",
    year: 2007,
    doi: Some("10.1145/1236463.1236468"),
};

/// CORE-MATH, the correctly rounded elementary functions of interval arithmetic in `f64`.
pub const SIBIDANOV_2022: BibliographyEntry = BibliographyEntry {
    key: "Sibidanov2022",
    authors: &["Alexei Sibidanov", "Paul Zimmermann", "Stéphane Glondu"],
    title: "The CORE-MATH Project",
    venue: "29th IEEE Symposium on Computer Arithmetic",
    year: 2022,
    doi: Some("10.1109/ARITH54963.2022.00014"),
};

/// Differentiation as an operator on a category with products, and its seven axioms.
pub const BLUTE_COCKETT_SEELY_2009: BibliographyEntry = BibliographyEntry {
    key: "BluteCockettSeely2009",
    authors: &["R. F. Blute", "J. R. B. Cockett", "R. A. G. Seely"],
    title: "Cartesian differential categories",
    venue: "Theory and Applications of Categories 22",
    year: 2009,
    doi: None,
};

/// Tangent bundles as a functor with a projection, zeros, sums, a lift and a flip.
pub const COCKETT_CRUTTWELL_2014: BibliographyEntry = BibliographyEntry {
    key: "CockettCruttwell2014",
    authors: &["J. R. B. Cockett", "G. S. H. Cruttwell"],
    title: "Differential structure, tangent structure, and SDG",
    venue: "Applied Categorical Structures 22(2)",
    year: 2014,
    doi: Some("10.1007/s10485-013-9312-0"),
};

/// A function on ℝⁿ that is smooth along every smooth curve is smooth.
pub const BOMAN_1967: BibliographyEntry = BibliographyEntry {
    key: "Boman1967",
    authors: &["Jan Boman"],
    title: "Differentiability of a function and of its compositions with functions of one variable",
    venue: "Mathematica Scandinavica 20, 249–268",
    year: 1967,
    doi: None,
};

/// The area and the coarea formula: integrals over the fibres of a Lipschitz map.
pub const FEDERER_1969: BibliographyEntry = BibliographyEntry {
    key: "Federer1969",
    authors: &["Herbert Federer"],
    title: "Geometric Measure Theory",
    venue: "Grundlehren der mathematischen Wissenschaften 153, Springer",
    year: 1969,
    doi: Some("10.1007/978-3-642-62010-2"),
};

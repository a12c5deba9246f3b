//! Composition, kinks, definedness, and derivatives inside programs.

rules! {
    /// Products and composites of higher order.
    Chain {
        Inner "chain_without_inner", "f(g)′ = f′(g) g′ (S28)" => "f′(g)";
        SecondOuter "faa_di_bruno_without_outer", "f(g)″ = f″(g) g′² + f′(g) g″ (S28, E19)" => "f′(g) g″";
        SecondInner "faa_di_bruno_without_inner", "f(g)″ = f″(g) g′² + f′(g) g″ (S28, E19)" => "f″(g) g′²";
        CrossTerm "product_without_cross_term", "(f g)″ = f″ g + 2 f′ g′ + f g″ (S20)" => "f″ g + f g″";
        CrossTermOnce "product_with_cross_term_once", "(f g)″ = f″ g + 2 f′ g′ + f g″ (S20)" => "f″ g + f′ g′ + f g″";
        Mixed "mixed_partials_dropped", "∂²(x y)/∂x∂y = 1 (S20)" => "0";
        Third "third_derivatives_dropped", "derivatives of every order (S16)" => "0 from the third on";
    }
}

rules! {
    /// The derivative where branches meet.
    Kink {
        MaxLeft "max_tie_left", "at a tie, max has the hull of both derivatives (S23)" => "that of the left argument";
        MaxRight "max_tie_right", "at a tie, max has the hull of both derivatives (S23)" => "that of the right argument";
        MaxMean "max_tie_mean", "at a tie, max has the hull of both derivatives (S23)" => "their mean";
        MinLeft "min_tie_left", "at a tie, min has the hull of both derivatives (S24)" => "that of the left argument";
        MinRight "min_tie_right", "at a tie, min has the hull of both derivatives (S24)" => "that of the right argument";
        MinMean "min_tie_mean", "at a tie, min has the hull of both derivatives (S24)" => "their mean";
        AbsZero "abs_tie_zero", "|x|′ is [-1, 1] at 0 (S24)" => "0";
        AbsRight "abs_tie_right", "|x|′ is [-1, 1] at 0 (S24)" => "1";
        AbsHalf "abs_tie_half", "|x|′ is [-1, 1] at 0 (S24)" => "[0, 1]";
        SignumValue "signum_tie_value", "sign 0 is [-1, 1] (E18)" => "0";
        SignumSlope "signum_tie_slope", "the derivative of sign at 0 is ⊥ (E18)" => "0";
        SecondZero "kink_second_zero", "the second derivative at a tie is ⊥ (S10)" => "0";
        SecondHull "kink_second_hull", "the second derivative at a tie is ⊥ (S10)" => "the hull of the branches'";
    }
}

rules! {
    /// What is ⊥.
    Definedness {
        Reciprocal "reciprocal_of_zero", "1/0 is ⊥ (S2)" => "0";
        Root "root_of_negative", "√x is ⊥ for x < 0 (S4)" => "0";
        Log "log_of_nonpositive", "log x is ⊥ for x ≤ 0" => "0";
        Asin "asin_outside", "arcsin x is ⊥ for x > 1" => "π/2";
        OddRoot "odd_root_of_negative", "x^(p/q) is odd for odd p and q (S74)" => "even";
        ZerothPower "zeroth_power_of_zero", "0⁰ = 1 (S74)" => "0";
        ZeroTimesBottom "zero_times_bottom", "0 · ⊥ = ⊥ (E42)" => "0";
        SlopeOfRoot "slope_of_root_of_square", "a computed 0 over 0 in the slope of √ is ⊥ (S4, E42)" => "0";
        Flag "definedness_forgotten", "a part of an interval outside the domain makes the result not known to be defined" => "it is defined";
    }
}

rules! {
    /// Derivatives inside programs.
    Nested {
        Factor "nested_factor_dropped", "the derivative of xʲ is j xʲ⁻¹" => "xʲ⁻¹";
        Direction "direction_dropped", "D f(x)·v is linear in v (S §4.3.3)" => "v is taken for 1";
        Captures "captures_fixed", "an inner derivative varies with what its body mentions (S32)" => "that stays fixed";
        Confusion "directions_confused", "each derivative has a direction of its own (X6, T13)" => "the outer one counts as well";
        Nearby "derivative_undefined_nearby", "a derivative is ⊥ where the function is undefined nearby (S §4.1)" => "that of the branch that is taken";
        Undefined "derivative_without_value", "a function without a value has no derivative" => "a part that is undefined and constant is forgotten";
    }
}

//! The presheaf model: tangents, binders, and data.

rules! {
    /// Tan, its isomorphisms, and the binders of derivatives.
    Tangent {
        RealToSwapped "tangent_r_to_swapped", "tangent_R.to is value and derivative (Prop. 5.2, S50)" => "derivative and value";
        RealToDoubled "tangent_r_to_doubled", "tangent_R.to is value and derivative (Prop. 5.2, S50)" => "twice the derivative";
        RealFromSwapped "tangent_r_from_swapped", "the base point of tangent_R.from is the first (S50)" => "the second";
        RealFromFixed "tangent_r_from_fixed", "tangent_R.from has the second for its direction (S50)" => "0";
        ProductToSwapped "tangent_prod_to_swapped", "tangentProd.to is by the projections, in order (Prop. 5.1, S51)" => "in reverse";
        ProductFromPoints "tangent_prod_from_points", "tangentProd.from has the points in order (S51)" => "in reverse";
        ProductFromDirections "tangent_prod_from_directions", "tangentProd.from has the directions in order (S51)" => "in reverse";
        ProductFromPrinted "tangent_prod_from_printed", "tangentProd.from is (f(x), g(y)) (E10)" => "(f(x), g(x)), as printed";
        FunctionToValue "tangent_to_r_to_value", "the second of tangentTo_R.to is the derivative at a fixed argument (Prop. 5.3, S52)" => "the value";
        FunctionToStage "tangent_to_r_to_stage", "a tangent to functions is differentiated in the stage (E9)" => "restricted first";
        FunctionToArgument "tangent_to_r_to_argument", "the argument is fixed: along (d, 0) (E9)" => "along (d, d)";
        FunctionFromSwapped "tangent_to_r_from_swapped", "tangentTo_R.from (f, g) is the curve f + s g (S52)" => "g + s f";
        FunctionFromPoint "tangent_to_r_from_point", "tangentTo_R.from (f, g) is the curve f + s g at s = 0 (S52)" => "at s = 1";
        ValueMoved "tangent_value_moved", "tangentValue is the element at the point (S49)" => "at the point moved along the direction";
        Direction "tangent_without_direction", "tangent f keeps the direction (S48)" => "0";
        NotRenamed "tangent_not_renamed", "a tangent is renamed before its element is used (X6)" => "its coordinates are taken as they are";
        DerivNotFresh "deriv_variable_not_fresh", "deriv binds a fresh variable (T13)" => "always the same one";
        PrimitiveNotFresh "primitive_variable_not_fresh", "integral01 and its like bind a fresh variable (S47)" => "always the same one";
    }
}

rules! {
    /// Variables, binders, data, and constants that are defined by others.
    Language {
        Variables "variables_off_by_one", "a variable is the projection from its place (S34)" => "of the last two, the other";
        Weakening "weakening_forgotten", "let moves the variables outside up by one (S34)" => "the one outside is hidden";
        If "if_swapped", "if takes the first branch when true (S69)" => "the second";
        Match "match_case_before", "match takes the case of the constructor" => "the case before it";
        Fold "fold_from_left", "fold begins at the end of the list" => "at its start";
        Cons "cons_at_the_end", ":: puts an element first" => "last";
        Recursion "recursion_too_short", "a recursive function is applied to its argument (S69)" => "to one less";
        NaturalSubtract "natural_subtract_not_truncated", "n - m is 0 in ℕ for n < m (S69)" => "m - n";
        NaturalAdd "natural_add_one_more", "n + m in ℕ (S69)" => "n + m + 1";
        NaturalMultiply "natural_multiply_adds", "n · m in ℕ (S69)" => "n + m";
        Equal "equal_or_one_less", "n == m holds for equal numbers only (S69)" => "also where n is one less";
        Less "less_or_equal", "n < m fails for equal numbers (S69)" => "holds";
        RealLess "real_less_swapped", "x < y in ℜ holds where x is the smaller (X11)" => "the greater";
        Not "not_forgotten", "not tt is ff (S69)" => "tt";
        ToReal "to_real_one_more", "toReal n is n" => "n + 1";
        First "fst_second", "fst (x, y) is x" => "y";
        TupleSum "tuple_sum_first_only", "tuples are added in every component" => "in the first";
        TupleNegate "tuple_negate_first_only", "tuples are negated in every component" => "in the first";
        PowerOfReals "power_of_reals", "x^y = exp(y log x) for real y (S74)" => "exp(x log y)";
        Sigmoid "sigmoid_sign", "sigmoid x = 1/(1 + e⁻ˣ)" => "1/(1 + eˣ)";
    }
}

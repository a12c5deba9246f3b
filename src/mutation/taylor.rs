//! The Taylor macro (H §3.2, §5.1).

rules! {
    /// Derivatives as a macro.
    Taylor {
        CrossTerm "taylor_cross_term", "a product has the terms x_β y_{α−β} (H12, E30)" => "only those with β = 0 or β = α";
        SameArgument "taylor_same_argument", "the mixed terms of a product are of both arguments (H15, E31)" => "of one argument, as printed";
        Binomials "taylor_binomials", "the terms of a product have binomial coefficients (H8, E25)" => "1";
        Partial "taylor_partial", "∂₂ sigmoid is y (1 − y) (1 − 2 y) (H12)" => "the opposite";
        Cosine "taylor_cosine", "∂₁ cos is −sin (H12)" => "sin";
        Coordinates "taylor_coordinates", "coordinates are in lexicographic order (H4)" => "the second and the last are exchanged";
        ConstantLength "taylor_constant_length", "a number becomes ⟨c, 0, …, 0⟩, as long as every jet (E28)" => "⟨c, 0⟩";
        ConstantSlope "taylor_constant_slope", "a number becomes ⟨c, 0, …, 0⟩ (H11)" => "⟨c, 1, 0, …, 0⟩";
        FoldStart "taylor_fold_start", "a fold starts from the jet that it is given (H25)" => "from the same twice over";
    }
}

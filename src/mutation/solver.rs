//! The second-order primitives.

rules! {
    /// integral01.
    Integral {
        StopsEarly "integral_stops_early", "the integral is over [0, 1] (S39)" => "over [0, 7/8]";
        Length "integral_panel_length", "a panel [m - h, m + h] has length 2h (S39)" => "4h";
        Remainder "integral_without_remainder", "the value at the midpoint has a remainder (S71)" => "none";
        Parameters "integral_parameters_fixed", "∂∫f = ∫∂f (S39)" => "0";
        KinkFixed "integral_kink_fixed", "a kink moves with the parameters" => "it stays";
        KinkSides "integral_kink_sides", "left of a kink the branch on the left is taken" => "the one on the right";
    }
}

rules! {
    /// cutRoot and firstRoot.
    Root {
        Sign "cut_root_sign", "the derivative of a root is -f_c/f_x (S42)" => "f_c/f_x";
        UpsideDown "cut_root_upside_down", "the derivative of a root is -f_c/f_x (S42)" => "-f_x/f_c";
        SecondOrder "cut_root_second_order", "a root has derivatives of every order (S42)" => "0 from the second on";
        FlatSlope "cut_root_flat_slope", "the derivative of a root is ⊥ where f_x may be 0 (S42)" => "0";
        Nearby "cut_root_undefined_nearby", "the derivative of a root is ⊥ where f is undefined near it" => "-f_c/f_x";
        Plateau "cut_root_plateau", "where f is 0 on an interval, the root is that interval (S41)" => "its left half";
        FirstSign "first_root_sign", "the derivative of a first root is -f_c/f_x (S43)" => "f_c/f_x";
        FirstOfMany "first_root_of_many", "firstRoot is the first of the roots (E8)" => "the one that bisection meets";
        FirstTouched "first_root_touched", "where f is only 0, firstRoot reaches to the next sign change (S43, E45)" => "half as far";
        FirstFormula "first_root_formula_at_end", "at the end of [0, 1] the derivative of a first root is 0 (E44)" => "-f_c/f_x";
        FirstEnd "first_root_end_tie", "a first root that reaches an end has the hull of 0 and -f_c/f_x (E44)" => "0";
    }
}

rules! {
    /// max01, argmax01, min01 and argmin01.
    Optimum {
        EndsOnly "max01_ends_only", "the maximum over [0, 1] (S45)" => "over its ends";
        Envelope "max01_envelope", "the derivative of max01 f is f_c at the maximiser (S45, E14)" => "f_x x*′, which is 0";
        PlaceFixed "max01_place_fixed", "the second derivative of max01 f sees the maximiser move (S45)" => "f_cc";
        OneMaximiser "max01_one_maximiser", "at a tie, the hull of f_c over all maximisers (S75)" => "at the first of them";
        EndSecond "max01_end_second", "a concave top that reaches an end has a set for its second derivative" => "that of f at the end";
        ArgmaxSlope "argmax01_slope_dropped", "the derivative of an inner maximiser is -f_xc/f_xx (S44)" => "0";
        ArgmaxSign "argmax01_sign", "the derivative of an inner maximiser is -f_xc/f_xx (S44)" => "f_xc/f_xx";
        ArgmaxTie "argmax01_tie", "argmax01 is the hull of the maximisers (S44)" => "its left half";
        ArgmaxFormula "argmax01_formula_at_end", "at an end with a slope the derivative of argmax01 is 0 (S44)" => "-f_xc/f_xx";
        ArgmaxEnd "argmax01_end_tie", "a maximiser that reaches an end has the hull of 0 and -f_xc/f_xx (S44)" => "0";
        Minimum "min01_sign", "min01 f = -max01 (-f) (S45)" => "max01 (-f)";
        Minimiser "argmin01_sign", "argmin01 f = argmax01 (-f) (S45)" => "argmax01 f";
    }
}

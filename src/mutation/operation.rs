//! The operations: each has a number and a slope that may be wrong.

rules! {
    /// The value of an operation; its derivatives stay right (S2, S22).
    Value {
        Negate "negate_value", "-x" => "x";
        Add "add_value", "x + y" => "x - y";
        Subtract "subtract_value", "x - y" => "y - x";
        Multiply "multiply_value", "x · y" => "x + y";
        Divide "divide_value", "x / y" => "y / x";
        Power "power_value", "xⁿ" => "xⁿ⁺¹";
        Root "root_value", "x^(p/q) (S74)" => "x^(q/p)";
        Abs "abs_value", "|x| is -x for x < 0" => "x";
        Signum "signum_value", "sign x is -1 for x < 0" => "1";
        Max "max_value", "max(x, y) is the larger" => "the smaller";
        Min "min_value", "min(x, y) is the smaller" => "the larger";
        Pi "pi_value", "π" => "22/7";
        Euler "euler_value", "e" => "2.71828";
    }
}

rules! {
    /// The derivative of an operation; its value stays right (S18, S20, S21, S23).
    Derivative {
        Negate "negate_derivative", "(-x)′ = -x′" => "x′";
        Add "add_derivative", "(x + y)′ = x′ + y′ (S20)" => "x′";
        Subtract "subtract_derivative", "(x - y)′ = x′ - y′ (S20)" => "x′ + y′";
        Multiply "multiply_derivative", "(x y)′ = x′ y + x y′ (S20)" => "x′ y";
        Divide "divide_derivative", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y - x y′)/y";
        DivideSign "divide_derivative_sign", "(x/y)′ = (x′ y - x y′)/y² (S21)" => "(x′ y + x y′)/y²";
        Power "power_derivative", "(xⁿ)′ = n xⁿ⁻¹ x′" => "n xⁿ x′";
        Root "root_derivative", "(xʳ)′ = r xʳ⁻¹ x′ (S74)" => "xʳ⁻¹ x′";
        Abs "abs_derivative", "|x|′ = -x′ for x < 0 (S24)" => "x′";
        Signum "signum_derivative", "(sign x)′ = 0 for x ≠ 0" => "x′";
        Max "max_derivative", "max has the derivative of the larger argument (S23)" => "that of the smaller";
        Min "min_derivative", "min has the derivative of the smaller argument (S24)" => "that of the larger";
    }
}

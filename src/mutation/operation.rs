//! The operations and elementary functions: each has a number and a slope that may be wrong.

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
        Sqrt "sqrt_value", "√x" => "∛x";
        Cbrt "cbrt_value", "∛x" => "√x";
        Exp "exp_value", "eˣ" => "its series up to x²";
        Log "log_value", "log x" => "log (1 + x)";
        Sin "sin_value", "sin x" => "cos x";
        Cos "cos_value", "cos x" => "sin x";
        Tan "tan_value", "tan x" => "1/tan x";
        Asin "asin_value", "arcsin x" => "arccos x";
        Acos "acos_value", "arccos x" => "arcsin x";
        Atan "atan_value", "arctan x" => "arcsin x";
        Sinh "sinh_value", "sinh x" => "cosh x";
        Cosh "cosh_value", "cosh x" => "sinh x";
        Tanh "tanh_value", "tanh x" => "sinh x";
        Asinh "asinh_value", "arsinh x" => "arcosh x";
        Acosh "acosh_value", "arcosh x" => "arsinh x";
        Atanh "atanh_value", "artanh x" => "log ((1 + x)/(1 - x)), without the half";
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
        Sqrt "sqrt_derivative", "(√x)′ = 1/(2√x)" => "1/√x";
        Cbrt "cbrt_derivative", "(∛x)′ = 1/(3 ∛x²)" => "1/∛x²";
        Exp "exp_derivative", "(eˣ)′ = eˣ" => "x eˣ⁻¹";
        Log "log_derivative", "(log x)′ = 1/x" => "1/x²";
        Sin "sin_derivative", "(sin x)′ = cos x (S18)" => "-cos x";
        Cos "cos_derivative", "(cos x)′ = -sin x (S18)" => "sin x";
        Tan "tan_derivative", "(tan x)′ = 1 + tan² x" => "1 - tan² x";
        Asin "asin_derivative", "(arcsin x)′ = 1/√(1 - x²)" => "1/(1 - x²)";
        Acos "acos_derivative", "(arccos x)′ = -1/√(1 - x²)" => "1/√(1 - x²)";
        Atan "atan_derivative", "(arctan x)′ = 1/(1 + x²)" => "1/√(1 + x²)";
        Sinh "sinh_derivative", "(sinh x)′ = cosh x" => "sinh x";
        Cosh "cosh_derivative", "(cosh x)′ = sinh x" => "-sinh x";
        Tanh "tanh_derivative", "(tanh x)′ = 1 - tanh² x" => "1 + tanh² x";
        Asinh "asinh_derivative", "(arsinh x)′ = 1/√(1 + x²)" => "1/(1 + x²)";
        Acosh "acosh_derivative", "(arcosh x)′ = 1/√(x² - 1)" => "1/√(x² + 1)";
        Atanh "atanh_derivative", "(artanh x)′ = 1/(1 - x²)" => "1/(1 + x²)";
    }
}

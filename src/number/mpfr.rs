//! placeholder
/// x
pub struct Mpfr;

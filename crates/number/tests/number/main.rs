//! Numbers: intervals, their arithmetic, decimals, and the small parts beside them.

mod balls;
mod budget;
mod decimal;
mod digits;
mod double;
mod exact;
mod number;
mod random;
mod refs;
mod width;
mod work;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

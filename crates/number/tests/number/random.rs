//! Of `random`.

use smoothish_number::random::*;

// The first outputs for seed 1234567, as published with the reference implementation.
#[test]
fn the_stream_is_splitmix64() {
    let mut random = SplitMix64::new(1_234_567);
    assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
}

// Derived by a program in Python that computes the published formulas with integers modulo 2^64.
#[test]
fn the_stream_of_a_sample_stays() {
    let mut random = SplitMix64::for_sample(7, 3);
    assert_eq!([random.next(), random.next()], [14_174_332_285_101_100_143, 17_010_603_890_118_341_607]);
    assert_eq!((0..8).map(|_| random.next_below(10)).collect::<Vec<_>>(), [3, 4, 5, 5, 5, 1, 1, 2]);
}

#[test]
fn weights_are_respected_and_samples_differ() {
    let mut random = SplitMix64::new(1);
    assert!((0..1000).all(|_| random.pick_weighted(&[(0, 'a'), (1, 'b'), (0, 'c')]) == 'b'));
    let heads = (0..10_000).filter(|_| random.random_bool(25)).count();
    assert!((2_200..2_800).contains(&heads), "{heads}");
    assert_ne!(SplitMix64::for_sample(1, 0).next(), SplitMix64::for_sample(1, 1).next());
    assert_ne!(SplitMix64::for_sample(1, 0).next(), SplitMix64::for_sample(2, 0).next());
}

//! The Rust of the book and of the README, run by `cargo test`: each chapter is the documentation of an item that
//! exists only while documentation is tested. Their questions to `smoothish` are asked by `tests/book.rs`.

#[doc = include_str!("../README.md")]
pub struct Readme;
#[doc = include_str!("../book/src/what-this-is.md")]
pub struct WhatThisIs;
#[doc = include_str!("../book/src/first-questions.md")]
pub struct FirstQuestions;
#[doc = include_str!("../book/src/numbers.md")]
pub struct Numbers;
#[doc = include_str!("../book/src/the-prompt.md")]
pub struct ThePrompt;
#[doc = include_str!("../book/src/programs.md")]
pub struct Programs;
#[doc = include_str!("../book/src/optima-and-shapes.md")]
pub struct OptimaAndShapes;
#[doc = include_str!("../book/src/smoothish-maps.md")]
pub struct SmoothishMaps;
#[doc = include_str!("../book/src/presheaves-and-stages.md")]
pub struct PresheavesAndStages;
#[doc = include_str!("../book/src/tangents-of-anything.md")]
pub struct TangentsOfAnything;
#[doc = include_str!("../book/src/derivatives-at-kinks.md")]
pub struct DerivativesAtKinks;
#[doc = include_str!("../book/src/plots.md")]
pub struct CertifiedPlots;
#[doc = include_str!("../book/src/reading-an-enclosure.md")]
pub struct ReadingAnEnclosure;
#[doc = include_str!("../book/src/models.md")]
pub struct Models;
#[doc = include_str!("../book/src/campaign.md")]
pub struct Campaign;
#[doc = include_str!("../book/src/errata-1.md")]
pub struct ErrataOne;
#[doc = include_str!("../book/src/correspondence.md")]
pub struct Correspondence;

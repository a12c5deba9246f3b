//! The engine of subdivision: its orders, its ends, its limits, and its independence of threads.

use smoothish_ad::number::Magnitude;
use smoothish_ad::number::budget::Budget;
use smoothish_ad::parallel::par_map;
use smoothish_ad::smooth::solve::subdivide::{
    End, OpenPieces, PieceBound, Split, SplitOrder, Subdivided, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use std::convert::Infallible;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// An interval of integers `[from, to)`, with the place of a kink: what lies beside it is settled once it is short.
type Piece = [u32; 2];

/// How the parts of several pieces are computed.
#[derive(Clone, Copy, PartialEq)]
enum Merge {
    /// In the order of the pieces, on so many threads.
    InOrder(usize),
    /// The wrong version: in the order in which the threads are done.
    AsTheyCome,
}

/// Looks for a place in an interval. The excess of a piece is its length if it contains the place, else 1.
struct PlaceSearch {
    place: u32,
    order: SplitOrder,
    merge: Merge,
    /// The pieces that were split, in order.
    split: Vec<Piece>,
    settled: u32,
    /// The largest number of open pieces.
    most_open: usize,
}

impl PlaceSearch {
    fn new(order: SplitOrder) -> Self {
        Self { place: 300, order, merge: Merge::InOrder(1), split: Vec::new(), settled: 0, most_open: 0 }
    }

    fn contains(&self, [from, to]: Piece) -> bool {
        from <= self.place && self.place < to
    }
}

fn halve([from, to]: Piece) -> Split<Piece> {
    match to - from {
        0 | 1 => Split::Stuck([from, to]),
        _ => Split::Parts(vec![[from, (from + to) / 2], [(from + to) / 2, to]]),
    }
}

impl SubdivisionProblem for PlaceSearch {
    type Piece = Piece;
    type Error = Infallible;

    fn split_order(&self) -> SplitOrder {
        self.order
    }

    fn bound_piece(&mut self, piece: &mut Piece) -> Result<PieceBound, Infallible> {
        let length = piece[1] - piece[0];
        let is_settled = !self.contains(*piece) && length <= 64;
        let bound = PieceBound::open(u8::from(self.contains(*piece)), Magnitude::from(length));
        Ok(if is_settled { PieceBound::SETTLED } else { bound })
    }

    fn settle_piece(&mut self, piece: Piece) {
        self.settled += piece[1] - piece[0];
    }

    fn judge_open(&mut self, open: &mut OpenPieces<Piece>) -> Result<Option<End>, Infallible> {
        self.most_open = self.most_open.max(open.len());
        Ok(None)
    }

    fn split_pieces(&mut self, pieces: Vec<Piece>) -> Result<Vec<Split<Piece>>, Infallible> {
        self.split.extend(&pieces);
        // the first pieces take longest, so that a later one is done before
        let slowly = |index: usize, piece: Piece| {
            thread::sleep(Duration::from_millis(4u64.saturating_sub(2 * index as u64)));
            halve(piece)
        };
        Ok(match self.merge {
            Merge::InOrder(threads) => par_map(threads, pieces.into_iter().enumerate().collect(), |part| {
                part.into_iter().map(|(index, piece)| slowly(index, piece)).collect()
            }),
            Merge::AsTheyCome => {
                let (sender, receiver) = mpsc::channel();
                thread::scope(|scope| {
                    for (index, piece) in pieces.into_iter().enumerate() {
                        let sender = sender.clone();
                        scope.spawn(move || sender.send(slowly(index, piece)));
                    }
                });
                drop(sender);
                receiver.iter().collect()
            }
        })
    }
}

fn run(search: &mut PlaceSearch, caps: SubdivisionCaps, budget: Option<&Budget>) -> Subdivided<Piece> {
    let Ok(left) = subdivide(search, vec![[0, 1024]], caps, budget);
    left
}

#[test]
fn each_order_covers_the_whole_and_drops_what_is_settled() {
    for order in [SplitOrder::Oldest, SplitOrder::WORST_ALONE] {
        let mut search = PlaceSearch::new(order);
        let left = run(&mut search, SubdivisionCaps::NONE, None);
        // only the place itself is left
        assert_eq!((left.stuck, left.open, left.end), (vec![[300, 301]], vec![], End::Stuck), "{order:?}");
        assert_eq!(search.settled, 1023, "{order:?}");
        // 1024 → 512 → … : a dozen are open at once, not a thousand
        assert!(search.most_open <= 16, "{order:?}: {}", search.most_open);
    }
    // a proof ends with the first piece that does not settle
    let mut search = PlaceSearch::new(SplitOrder::Newest);
    assert_eq!(run(&mut search, SubdivisionCaps::NONE, None).end, End::Stuck);
    // and succeeds where all settle
    let mut search = PlaceSearch { place: 5000, ..PlaceSearch::new(SplitOrder::Newest) };
    assert_eq!(run(&mut search, SubdivisionCaps::NONE, None).end, End::Reached);
    assert_eq!((search.settled, search.split[0]), (1024, [0, 1024]));
    // the part added last comes first
    assert_eq!(search.split[1], [512, 1024]);
}

#[test]
fn the_worst_piece_comes_first_and_the_older_one_of_equals() {
    let mut search = PlaceSearch::new(SplitOrder::WORST_ALONE);
    run(&mut search, SubdivisionCaps::NONE, None);
    // the piece with the place is urgent, whatever its length; then the others by length
    let to_place: Vec<Piece> = vec![[0, 1024], [0, 512], [256, 512], [256, 384], [256, 320], [288, 320], [288, 304]];
    assert_eq!(search.split[..7], to_place);
    let rest: Vec<u32> = search.split[11..].iter().map(|[from, to]| to - from).collect();
    assert!(rest.is_sorted_by(|a, b| a >= b) && rest[0] == 512, "{rest:?}");
}

#[test]
fn limits_end_a_search_and_leave_the_rest_open() {
    let covered = |search: &PlaceSearch, left: &Subdivided<Piece>| -> u32 {
        search.settled + left.open.iter().chain(&left.stuck).map(|[from, to]| to - from).sum::<u32>()
    };
    for order in [SplitOrder::Oldest, SplitOrder::WORST_ALONE, SplitOrder::Rounds { batch: 2 }] {
        let mut search = PlaceSearch::new(order);
        let left = run(&mut search, SubdivisionCaps { open: 3, ..SubdivisionCaps::NONE }, None);
        assert_eq!((left.end, covered(&search, &left)), (End::Cap, 1024), "{order:?}");
        // three units of work: the fourth split is not begun
        let mut search = PlaceSearch::new(order);
        let left = run(&mut search, SubdivisionCaps::NONE, Some(&Budget::new(3, None, None)));
        assert_eq!((left.end, covered(&search, &left)), (End::Cut, 1024), "{order:?}");
    }
    let mut search = PlaceSearch { place: 5000, ..PlaceSearch::new(SplitOrder::Newest) };
    let left = run(&mut search, SubdivisionCaps { bounded: 5, ..SubdivisionCaps::NONE }, None);
    assert_eq!((left.end, covered(&search, &left)), (End::Cap, 1024));
}

#[test]
fn rounds_keep_the_pieces_from_left_to_right() {
    let mut search = PlaceSearch::new(SplitOrder::Rounds { batch: 3 });
    let left = run(&mut search, SubdivisionCaps { open: 500, ..SubdivisionCaps::NONE }, None);
    assert_eq!((left.end, left.open.len()), (End::Cap, 512));
    assert!(left.open.windows(2).all(|pair| pair[0][1] == pair[1][0]), "{:?}", left.open);
}

#[test]
fn parts_are_merged_in_the_order_of_their_pieces() {
    let together = SplitOrder::Worst { together_from: 2, share: 1, most: 8 };
    let split_by = |merge| {
        let mut search = PlaceSearch { merge, ..PlaceSearch::new(together) };
        run(&mut search, SubdivisionCaps::NONE, None);
        search.split
    };
    let expected = split_by(Merge::InOrder(1));
    assert_eq!(split_by(Merge::InOrder(2)), expected);
    // what is merged as it comes gives the older rank to the piece that was done first
    assert_ne!(split_by(Merge::AsTheyCome), expected);
}

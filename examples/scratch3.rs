use smoothish::{
    number::{budget::Budget, *},
    session::*,
    syntax::library::Library,
};
use std::{sync::Arc, time::*};
fn main() {
    let s = Session::with(Library::new());
    let mut args = std::env::args().skip(1);
    let eps = smoothish::number::decimal::parse(&args.next().unwrap()).unwrap();
    for src in args {
        let t = Instant::now();
        let b = Arc::new(Budget::within(Duration::from_secs(20)));
        match s.ask(&src, &eps, &b) {
            Ok(o) => {
                print!("{src}\n   : {} ", o.ty);
                show(&o.reply, &eps);
                println!(" {:?} work {} assumed {}", t.elapsed(), b.work_done(), o.assumed.len());
            }
            Err(e) => println!("{src}\n   error {e}"),
        }
    }
}
fn show(r: &Reply, eps: &Rational) {
    match r {
        Reply::Real(a) => print!("{} reached={} bits={}", a.enclosure.decimals(eps), a.reached, a.bits),
        Reply::Tuple(v) => {
            print!("(");
            for x in v {
                show(x, eps);
                print!(", ")
            }
            print!(")")
        }
        o => print!("{o:?}"),
    }
}

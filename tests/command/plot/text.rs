//! Plots as text, letter by letter.

use super::support::{plotted, q};
use smoothish::plot::PlotRequest;
use smoothish::plot::text::{TextStyle, draw_lines};

fn drawn(source: &str, from: &str, to: &str, orders: &[u32], style: TextStyle) -> String {
    let request = PlotRequest { orders: orders.to_vec(), ..style.plot_request(q(from), q(to)) };
    draw_lines(&plotted(source, &request), style).join("\n")
}

#[track_caller]
fn is(found: &str, expected: &str) {
    assert!(found == expected.trim_start_matches('\n'), "found\n{found}\n");
}

/// Golden pictures: to be looked at when they change.
#[test]
fn a_kink_and_its_derivative() {
    let style = TextStyle { width: 44, height: 7, ascii: false };
    is(&drawn(r"\x => abs x", "-1", "1", &[0, 1], style), KINK);
}

#[test]
fn a_pole_in_ascii() {
    let style = TextStyle { width: 50, height: 9, ascii: true };
    is(&drawn("\\x =>\n 1/x ! λ", "-1", "2", &[0], style), POLE);
}

#[test]
fn lines_are_no_wider_than_asked() {
    for (source, from, to) in [
        (r"\x => sin (1e9 * x) + 1e-9 * x", "1.00000000000000000001", "1.00000000000000000002"),
        (r"\x => exp x", "-1000", "123456789"),
        (r"\x => x^3 - x", "-2/3", "1e400"),
    ] {
        for (width, ascii) in [(1, true), (20, false), (33, true), (120, false)] {
            let style = TextStyle { width, height: 5, ascii };
            let lines = draw_lines(&plotted(source, &style.plot_request(q(from), q(to))), style);
            let widest = lines.iter().map(|l| l.chars().count()).max().unwrap();
            assert!(widest <= width.max(40) as usize, "{lines:#?}");
            assert!(!ascii || lines.iter().all(|l| l.is_ascii()), "{lines:#?}");
        }
    }
}

const KINK: &str = r"
\x => abs x
f
  1 ┤⠲⣄                            ⣠⠖
    │ ⠈⠓⢦⡀                      ⢀⡴⠚⠁
    │    ⠙⠲⣄                  ⣠⠖⠋
0.5 ┤      ⠈⠓⢤⡀            ⢀⡤⠚⠁
    │         ⠙⠦⣄        ⣠⠴⠋
    │           ⠈⠳⢤⡀  ⢀⡤⠞⠁
  0 ┤┈┈┈┈┈┈┈┈┈┈┈┈┈┈⠙⠦⠴⠋┈┈┈┈┈┈┈┈┈┈┈┈┈┈
f′
  1 ┤               ⢰⡖⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒
    │               ⢸⡇
    │               ⢸⡇
  0 ┤┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈⢸⡇┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
    │               ⢸⡇
    │               ⢸⡇
 -1 ┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠼⠇
    └┬───────────────┬──────────────┬
    -1               0              1
│  all values at a kink, a set";
const POLE: &str = r"
\x => 1/x ! ?
 40 +            /|
    |            /|
 20 +            /|
    |            /|
    |            /'|
  0 +------------/-'''|....................
    |'''''''''|../
    |           |/
-20 +           |/
    ++-----------+------------+-----------+
    -1           0            1           2
/  not shown to be defined";

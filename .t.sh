cd /tmp/w/h8; nice -n 5 cargo fmt; (time nice -n 5 cargo test -p smoothish-laws --test laws functors:: ) 2>&1 | tail -${1:-60}

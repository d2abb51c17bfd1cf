//! rs-trafilatura for bench/bench_content.py: paths of pages on stdin, lines of JSON on stdout
//! (bench/content_peers.py). The library decodes the bytes and has its default options: balanced,
//! tables, no comments. A panic is the error of its page.
use std::io::{BufRead, Write};
use std::panic::catch_unwind;
use std::time::Duration;

use cpu_time::ProcessTime;
use rs_trafilatura::{extract_bytes_with_options, Options};
use serde_json::{json, Value};

/// For deep trees, which the library walks by recursion.
const STACK_BYTES: usize = 1 << 30;

fn extract(page: &[u8]) -> Value {
    let found = catch_unwind(|| extract_bytes_with_options(page, &Options::default()));
    match found {
        Ok(Ok(result)) => json!({"text": result.content_text}),
        Ok(Err(error)) => json!({"text": "", "error": error.to_string()}),
        Err(_) => json!({"text": "", "error": "panic"}),
    }
}

fn run() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = std::io::stdout().lock();
    let mut spent = Duration::ZERO;
    for (i, path) in std::io::stdin().lock().lines().enumerate() {
        let page = std::fs::read(path.expect("a path")).expect("a page");
        if i == 0 {
            extract(&page); // what is made at first use
        }
        let start = ProcessTime::now();
        let row = extract(&page);
        spent += start.elapsed();
        writeln!(out, "{row}").expect("stdout");
    }
    writeln!(out, "{}", json!({"seconds": spent.as_secs_f64()})).expect("stdout");
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    thread.expect("a thread").join().expect("no panic outside of pages");
}

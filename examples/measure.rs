use lop::oracle::{Limit, LocalRunner, Scratch, Test};
use lop::program::walk;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let mut args = std::env::args().skip(1);
    let (file, test) = (args.next().unwrap(), args.next().unwrap());
    let kind = lop::minimize::kind(&args.next().unwrap_or("complements".into())).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    let name = Path::new(&file).file_name().unwrap();
    let t = Instant::now();
    let version =
        lop::program::read(vec![(Arc::from(Path::new(name)), Arc::from(bytes.clone()))]).unwrap();
    eprintln!(
        "read {:?} tokens {} faithful {}",
        t.elapsed(),
        version.tokens(),
        walk::render(&version.documents()[0].root) == bytes
    );
    let scratch = Scratch::choose(None, bytes.len() as u64, 1).unwrap();
    let runner = LocalRunner::new(Test::find(Path::new(&test)).unwrap(), scratch, 1).unwrap();
    let run = lop::reduce::start(lop::reduce::Setup {
        version,
        runner: Box::new(runner),
        limit: Limit::fixed(std::time::Duration::from_secs(30)),
        paused: false,
        fail: true,
        options: lop::pass::Options { minimizer: kind },
    })
    .unwrap();
    let verbose = std::env::var("V").is_ok();
    for event in run.events.iter() {
        match event {
            lop::reduce::Event::Decided(d) if verbose => eprintln!(
                "{} {:?} {} {}",
                d.decision,
                d.ending,
                d.sentence,
                if d.time.is_none() { "cached" } else { "" }
            ),
            lop::reduce::Event::Decided(_) => {}
            e => {
                if verbose {
                    eprintln!("{e:?}")
                }
            }
        }
    }
    let last = run.finish().unwrap();
    println!(
        "{}",
        String::from_utf8_lossy(&walk::render(&last.version.documents()[0].root))
    );
    eprintln!(
        "{} tokens {:?} {:?}",
        last.version.tokens(),
        last.counts,
        last.started.elapsed()
    );
}

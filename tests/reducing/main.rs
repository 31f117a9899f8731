//! Runs inside this process: the engine, its passes, decisions, journals and replays. The test is a closure, a scripted oracle or a real
//! compiler.

mod answers;
#[path = "../common/mod.rs"]
mod common;
mod determinism;
mod engine;
mod filters;
mod flaky;
#[path = "../checker/generate.rs"]
mod generate;
mod isolate;
mod pair_sessions;
mod pairs;
mod reduction;
mod replay;
mod session;
#[path = "../shell/mod.rs"]
mod shell;
mod statements;
mod steer;
mod store;
mod strategies;

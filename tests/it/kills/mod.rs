//! Processes killed at random over hosted runs, rounds and research with a chat model: what hadal counts is never below the
//! simulators' invoice, and above it by no more than what was in flight at the kills. Nothing is paid twice, no cap is passed.
//!
//! `cargo test` runs a sample of about a minute. `checks/kills` runs the whole series: `HADAL_TEST_KILLS` says how many, `HADAL_TEST_SEED`
//! from where the dice begin, so that a failed series can be repeated, and `HADAL_TEST_PROGRAM` which hadal is killed.
#![cfg(target_os = "linux")]

mod account;
mod checks;
mod lab;
mod studies;

use rustix::process::Signal;
use sim::wait::until;

use self::lab::{Dice, Lab};

/// How many kills, unless the environment asks for more.
const SAMPLE: u64 = 36;

/// How processes end in a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// By `kill -9`; what they had waits for the next.
    Killed,
    /// Now and then in good order, with a keeper that goes on, and is killed in its turn.
    HandedOver,
}

/// PR-01, RS-01: killed at any moment, with nobody who goes on before the next hadal is there.
#[test]
fn pr_01_kills_without_a_keeper() {
    series(Ends::Killed);
}

/// PR-01, PR-03: the same with a keeper, which is killed too.
#[test]
fn pr_03_kills_with_a_keeper() {
    series(Ends::HandedOver);
}

/// How many kills the environment asks for.
pub(crate) fn asked_for() -> Option<u64> {
    number("HADAL_TEST_KILLS")
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("`{name}` is no number: {text}")))
}

#[expect(clippy::disallowed_macros, reason = "the check of a long series shows its figures")]
fn series(ends: Ends) {
    let kills = asked_for().unwrap_or(SAMPLE) / 2;
    let seed = number("HADAL_TEST_SEED").unwrap_or(2_026);
    let mut dice = Dice(seed);
    let mut lab = Lab::new(ends == Ends::HandedOver, kills);
    while lab.kills < kills {
        let mut client = lab.serve();
        lab.start_some(&mut client, &mut dice);
        lab.let_work(dice.roll(12));
        match if ends == Ends::Killed { 0 } else { dice.roll(3) } {
            0 => lab.kill(client.pid()),
            1 => lab::signal(client.pid(), Signal::TERM),
            _ => client.close(),
        }
        client.wait();
        if let Some(keeper) = lab.keeper() {
            lab.let_work(dice.roll(12));
            lab.kill(keeper);
            until("the keeper is gone", || lab.keeper().is_none());
        }
        lab.api.advance(60.0);
    }
    let client = lab.serve();
    until("everything is over", || {
        lab.api.advance(30.0);
        lab.unfinished() == 0
    });
    drop(client);
    let account = account::Account::of(&lab);
    account.holds();
    println!("{ends:?}: {} kills, seed {seed}: {account}", lab.kills);
}

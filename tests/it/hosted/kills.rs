//! A server killed again and again over many runs: every one ends with its report, and is paid once. `checks/kills` asks for more.

use std::path::Path;
use std::process::{Child, Stdio};

use super::*;

/// HR-12: five kills for each of many running tasks; one create each, the cost of the invoice, HR-18: no set-up in between.
#[test]
fn hr_12_kills_over_many_runs() {
    let kills = crate::kills::asked_for().map_or(50, |kills| kills / 2);
    let lab = Lab::new(still());
    let mut client = lab.serve();
    let ids: Vec<String> =
        (0..kills / 5).map(|n| start(&mut client, &format!("Question {n}: how deep is it?"))).collect();
    drop(client);
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let left = "SELECT count(*) FROM research_tasks WHERE status = 'running'";
    let database = lab.database();
    for kill in 0..kills {
        let looks = lab.asked(On::Get);
        let mut server = server(&lab);
        // In the middle of opening, of adopting, or of looking and writing: after some looks, as long as there is anything to look at.
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let owner = lab.path("data/owners");
        let is_open = || names(&owner).iter().any(|name| name.starts_with(&format!("{}-", server.id())));
        match (dice >> 33) % 32 {
            0..8 => {}
            8..16 => until("the store is open", is_open),
            more => until("it looks at its runs", || {
                let done = lab.asked(On::Get) >= looks + usize::try_from(more - 15).unwrap();
                done || (is_open() && database.query_row(left, [], |row| row.get::<_, u32>(0)).unwrap() == 0)
            }),
        }
        server.kill().unwrap();
        server.wait().unwrap();
        // The runs are over before the last fifth of the kills.
        lab.api.advance(if kill < kills / 5 * 4 { 1_550.0 / kills as f64 } else { 0.0 });
    }
    let mut client = lab.serve();
    for id in &ids {
        assert_eq!(ended(&mut client, id)["status"], "completed");
        let results = results(&mut client, id);
        assert!(results["report"].as_str().unwrap().contains("Challenger Deep"));
        let invoice = lab.api.invoice();
        let query = results["query"].as_str().unwrap();
        let billed: Vec<u64> =
            invoice.runs.iter().filter(|run| run.input == query).map(|run| run.cost_micros).collect();
        assert_eq!(billed.len(), 1, "{query}");
        assert_eq!(results["metadata"]["cost_usd"].as_f64().unwrap(), billed[0] as f64 / 1e6);
    }
    assert_eq!(lab.api.invoice().creates, u64::try_from(ids.len()).unwrap());
    let told = "SELECT count(*) FROM research_tasks WHERE notified_at IS NOT NULL";
    assert_eq!(lab.database().query_row(told, [], |row| row.get::<_, u32>(0)).unwrap() as usize, ids.len());
}

/// What stands in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn server(lab: &Lab) -> Child {
    let mut command = lab.command();
    command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

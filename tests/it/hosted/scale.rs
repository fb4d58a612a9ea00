//! A thousand runs in one process: little memory, and requests that keep their distance.

use super::*;

/// HR-17: a thousand at once, in 150 MB, with no more requests in any second than allowed.
#[test]
fn hr_17_a_thousand_at_once() {
    const RATE: usize = 200;
    let lab = Lab::new(still()).with("HADAL_GEMINI_API_RPS", &RATE.to_string()).with("HADAL_POLL_MS", "2000");
    let mut client = lab.serve();
    let calls: Vec<u64> = (0..1_000)
        .map(|n| {
            let arguments = json!({"query": format!("Question {n}: how deep is it?"), "enable_notifications": false});
            client.send("tools/call", json!({"name": "start_deep_research", "arguments": arguments}))
        })
        .collect();
    let mut ids = Vec::new();
    for call in calls {
        let reply = client.answer(call)["result"]["structuredContent"].clone();
        assert_eq!(reply["success"], true, "{reply}");
        ids.push(reply["task_id"].as_str().unwrap().to_owned());
    }
    until("a look at everyone", || lab.api.invoice().creates == 1_000 && lab.asked(On::Get) >= 2_000);
    let memory = resident_kb(client.pid());
    assert!(memory < 150 * 1_024, "{memory} KB");
    lab.api.advance(5_000.0);
    let left = "SELECT count(*) FROM research_tasks WHERE status != 'completed'";
    until("all are done", || lab.database().query_row(left, [], |row| row.get::<_, i64>(0)).unwrap() == 0);
    let mut at: Vec<u64> = lab.api.requests().iter().map(|request| request.at_ms).collect();
    at.sort_unstable();
    let busiest =
        at.iter().enumerate().map(|(n, from)| at[n..].iter().take_while(|to| **to < from + 1_000).count()).max();
    // Requests are counted where they arrive: one of the second before may come late.
    assert!(busiest.unwrap() <= RATE + RATE / 10, "{busiest:?} requests in a second");
    assert_eq!(lab.api.invoice().creates, 1_000);
    assert_eq!(status(&mut client, &ids[999])["status"], "completed");
}

fn resident_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

//! Who goes on after a server, and when the keeper leaves.

use super::*;

/// What ends a server.
enum Ends {
    Signal,
    Client,
}

/// PR-03: a server that is told to end, or whose client goes, leaves its tasks to a process that finishes them and leaves.
#[test]
fn pr_03_research_goes_on_after_its_server() {
    for ends in [Ends::Signal, Ends::Client] {
        let house = House::new();
        let kept = Kept::below(house.path());
        let file = house.path().join("go");
        let ids = house.leave(&[until_file(&file)]);
        let mut command = command(&house);
        command.env("HADAL_CHILD", "0123456789abcdef0123456789abcdef-0").env("GEMINI_API_KEY", "test-key-0123456789");
        let mut child = server(&house, command);
        match ends {
            Ends::Signal => signal(child.id(), Signal::TERM),
            Ends::Client => drop(child.stdin.take()),
        }
        child.wait().unwrap();
        let pid = kept.there();
        until("the keeper has the task", || status(&house, &ids[0])["worked_on"] == true);
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let session: u32 = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(3).unwrap().parse().unwrap();
        assert_eq!(session, pid, "it is not in a session of its own");
        assert_eq!(words(pid, "cmdline")[..2], ["hadal", "__keeper"]);
        assert_eq!(words(pid, "cmdline").len(), 3, "settings are no arguments");
        let environment = words(pid, "environ");
        assert!(!environment.iter().any(|word| word.starts_with("HADAL_CHILD=")), "it carries the mark");
        assert!(environment.contains(&"GEMINI_API_KEY=test-key-0123456789".to_owned()), "it has no keys");
        for stream in [0, 1] {
            let open = std::fs::read_link(format!("/proc/{pid}/fd/{stream}")).unwrap();
            assert_eq!(open, Path::new("/dev/null"));
        }
        std::fs::write(&file, "").unwrap();
        kept.gone();
        assert_eq!(shown(house.command(), &["results", &ids[0]])["report"], "a=Code(0): there");
        assert!(kept.log().contains("nothing is left to be done"), "{}", kept.log());
    }
}

/// PR-03: however many processes hand over, one goes on, and `doctor --repair` has it leave.
#[test]
fn pr_03_there_is_one_keeper_and_it_leaves_for_a_repair() {
    let house = House::new();
    let kept = Kept::below(house.path());
    let script = house.path().join("hour.json");
    std::fs::write(&script, hour().to_string()).unwrap();
    let mut running: Vec<Child> = (0..4)
        .map(|_| {
            let mut command = command(&house);
            command.args(["scripted", "--start-only", "--hand-over"]).arg(&script);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    running.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
    let pid = kept.there();
    let listed = || shown(house.command(), &["list"])["tasks"].as_array().unwrap().clone();
    until("all tasks are worked on", || listed().iter().all(|task| task["worked_on"] == true));
    let owners = "SELECT count(DISTINCT owner) FROM research_tasks";
    assert_eq!(house.database().query_row(owners, [], |row| row.get::<_, u32>(0)).unwrap(), 1);
    assert_eq!(kept.pid(), Some(pid));
    let repaired = house.command().args(["doctor", "--repair"]).output().unwrap();
    let told = String::from_utf8_lossy(&repaired.stderr);
    assert!(told.contains("nothing to repair"), "{told}");
    assert_eq!(kept.pid(), None);
    assert!(listed().iter().all(|task| task["worked_on"] == false && task["status"] == "running_async"));
}

/// PR-03: after `kill -9` of the last process the next hadal goes on, as ever; until then nobody does, and that is shown.
#[test]
fn pr_03_a_killed_keeper_is_no_keeper() {
    let house = House::new();
    let kept = Kept::below(house.path());
    let file = house.path().join("go");
    let ids = house.leave(&[until_file(&file)]);
    let mut child = server(&house, command(&house));
    signal(child.id(), Signal::TERM);
    child.wait().unwrap();
    let pid = kept.there();
    until("the keeper has the task", || status(&house, &ids[0])["worked_on"] == true);
    signal(pid, Signal::KILL);
    kept.gone();
    let paused = status(&house, &ids[0]);
    assert_eq!((&paused["worked_on"], word(&paused)), (&json!(false), "paused until hadal runs"));
    std::fs::write(&file, "").unwrap();
    let _worker = house.worker();
    until("the next hadal finishes it", || status(&house, &ids[0])["status"] == "completed");
}

/// PR-03: with `background = no` nothing goes on, and that is shown.
#[test]
fn pr_03_background_can_be_turned_off() {
    let house = House::new();
    let kept = Kept::below(house.path());
    let ids = house.leave(&[hour()]);
    for _ in 0..2 {
        let mut child = server(&house, house.command());
        assert_eq!(status(&house, &ids[0])["worked_on"], true);
        signal(child.id(), Signal::TERM);
        child.wait().unwrap();
        let paused = status(&house, &ids[0]);
        assert_eq!(paused["status"], "running_async");
        assert_eq!((&paused["worked_on"], word(&paused)), (&json!(false), "paused until hadal runs"));
    }
    assert!(!house.path().join("data/keeper.lock").exists() && kept.pid().is_none());
    let text = house.command().args(["list"]).output().unwrap();
    assert!(String::from_utf8_lossy(&text.stdout).contains("running_async, paused"));
}

/// PR-03: when another program is put in the place of its own, the keeper leaves and the new one goes on.
#[test]
fn pr_03_a_newer_program_goes_on() {
    let house = House::new();
    let kept = Kept::below(house.path());
    let program = house.path().join("hadal");
    let install = || {
        let new = house.path().join("new");
        std::fs::copy(env!("CARGO_BIN_EXE_hadal"), &new).unwrap();
        std::fs::rename(new, &program).unwrap();
    };
    install();
    let ids = house.leave(&[hour()]);
    let mut command = Command::new(&program);
    command.env_clear().env("HADAL_HOME", house.path());
    let mut child = server(&house, command);
    signal(child.id(), Signal::TERM);
    child.wait().unwrap();
    let first = kept.there();
    until("the keeper has the task", || status(&house, &ids[0])["worked_on"] == true);
    install();
    let second = until_some("another keeper", || kept.pid().filter(|pid| *pid != first));
    assert!(is_keeper(second), "{:?}", words(second, "cmdline"));
    until("the new one has the task", || status(&house, &ids[0])["worked_on"] == true);
    assert!(kept.log().contains("is new and goes on"), "{}", kept.log());
}

/// A keeper whose data directory is taken away has nothing more to do.
#[test]
fn a_keeper_without_a_directory_leaves() {
    let house = House::new();
    let kept = Kept::below(house.path());
    house.leave(&[hour()]);
    let mut child = server(&house, command(&house));
    signal(child.id(), Signal::TERM);
    child.wait().unwrap();
    let pid = kept.there();
    std::fs::rename(house.path().join("data"), house.path().join("elsewhere")).unwrap();
    until("it leaves", || !is_keeper(pid));
}

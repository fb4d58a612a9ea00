use super::*;
use crate::core::setup::settings::Settings;
use crate::engine::Engine;

fn args() -> DeepResearchArgs {
    DeepResearchArgs { query: Some("why is the sea deep?".into()), ..DeepResearchArgs::default() }
}

fn settings() -> Settings {
    let wall = Some(Duration::from_secs(600));
    Settings {
        budget: Budget { cost: Some(Usd::from_micros(5)), tokens: Some(7), wall, reserve_percent: 10 },
        ..Settings::defaults("unused".as_ref())
    }
}

fn app() -> App {
    App { engine: Engine::new(&settings(), engine::Adopt::Nothing), settings: settings().into() }
}

/// Every argument outside its limits is refused with a coded error that names it, before anything is started.
#[tokio::test]
async fn arguments_outside_their_limits_are_named() {
    let base = args();
    for (bad, code, says) in [
        (DeepResearchArgs { query: Some(" ".into()), ..base.clone() }, Code::InvalidQuery, "empty"),
        (DeepResearchArgs { max_attempts: Some(0), ..base.clone() }, Code::InvalidArgument, "`max_attempts` must be 1"),
        (DeepResearchArgs { max_attempts: Some(11), ..base.clone() }, Code::InvalidArgument, "to 10, not `11`"),
        (DeepResearchArgs { context: Some("é".repeat(20_001)), ..base.clone() }, Code::InvalidArgument, "`context`"),
        (DeepResearchArgs { budget_usd: Some(-0.5), ..base.clone() }, Code::InvalidArgument, "`budget_usd`"),
        (DeepResearchArgs { budget_usd: Some(f64::NAN), ..base.clone() }, Code::InvalidArgument, "NaN"),
        (DeepResearchArgs { budget_tokens: Some(0), ..base.clone() }, Code::InvalidArgument, "`budget_tokens`"),
        (DeepResearchArgs { budget_seconds: Some(0), ..base.clone() }, Code::InvalidArgument, "`budget_seconds`"),
        (DeepResearchArgs { engine: Some("gpt".into()), ..base.clone() }, Code::InvalidArgument, "not `gpt`"),
        (
            DeepResearchArgs { engine: Some("native".into()), library: Some(vec![".".into()]), ..base.clone() },
            Code::EngineUnavailable,
            "`native`",
        ),
        (DeepResearchArgs { library: Some(vec![".".into(); 33]), ..base.clone() }, Code::InvalidArgument, "33"),
        (
            DeepResearchArgs { library: Some(vec!["/no/such".into()]), ..base.clone() },
            Code::LibraryNotFound,
            "/no/such",
        ),
        (DeepResearchArgs { library: Some(vec!["".into()]), ..base.clone() }, Code::LibraryNotFound, "``"),
        (DeepResearchArgs { library: Some(vec!["a\0b".into()]), ..base.clone() }, Code::LibraryNotFound, "`a b`"),
        (DeepResearchArgs { library: Some(vec!["x".repeat(1 << 20)]), ..base.clone() }, Code::LibraryNotFound, "…"),
    ] {
        let error = app().start_task(bad, Depth::Chosen).await.unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(says), "{error} does not say {says}");
        assert!(error.message.len() < 1_000, "{} bytes", error.message.len());
    }
}

/// BU-01: a call's own caps replace those of the settings, one by one; the reserve stays.
#[test]
fn caps_of_the_call_come_first() {
    let default = settings().budget;
    assert_eq!(budget(&args(), default, Caller::User).unwrap(), default);
    let own = DeepResearchArgs { budget_usd: Some(0.5), budget_seconds: Some(9), ..args() };
    let budget = budget(&own, default, Caller::User).unwrap();
    assert_eq!(budget.cost, Usd::from_dollars(0.5));
    assert_eq!(budget.wall, Some(Duration::from_secs(9)));
    assert_eq!((budget.tokens, budget.reserve_percent), (default.tokens, 10));
}

#[tokio::test]
async fn library_paths_become_canonical_and_stand_once() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("docs")).unwrap();
    let inside = |path: &str| dir.path().join(path).to_str().unwrap().to_owned();
    let roots = canonical(vec![inside("docs"), inside("docs/../docs/."), inside(".")]).await.unwrap();
    let real = dir.path().canonicalize().unwrap();
    assert_eq!(roots, [real.join("docs").to_str().unwrap(), real.to_str().unwrap()]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_symlink_loop_is_a_coded_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("loop");
    std::os::unix::fs::symlink(&path, &path).unwrap();
    let error = canonical(vec![path.to_str().unwrap().to_owned()]).await.unwrap_err();
    assert_eq!(error.code, Code::LibraryUnreadable, "{error}");
}

#[test]
fn statuses_a_user_may_name() {
    assert_eq!(statuses(None).unwrap(), [None]);
    assert_eq!(statuses(Some("running_async")).unwrap(), [Some(Status::Pending), Some(Status::Running)]);
    assert_eq!(statuses(Some("failed")).unwrap(), [Some(Status::Failed)]);
    assert_eq!(statuses(Some("done")).unwrap_err().code, Code::InvalidArgument);
}

/// HR-09, HR-06: an id that is none is refused before the store is asked.
#[tokio::test]
async fn ids_that_are_none_are_refused() {
    let app = app();
    for id in ["", "../../etc/passwd", "1; DROP TABLE tasks"] {
        assert_eq!(app.status(id).await.unwrap_err().code, Code::InvalidTaskId);
        assert_eq!(app.results(id, true).await.unwrap_err().code, Code::InvalidTaskId);
        assert_eq!(
            app.cancel(wire::CancelArgs { task_id: id.to_owned(), save_partial: None }).await.unwrap_err().code,
            Code::InvalidTaskId
        );
    }
}

#[test]
fn a_status_call_waits_up_to_its_limit() {
    assert_eq!(status_wait(None).unwrap(), Duration::ZERO);
    assert_eq!(status_wait(Some(45)).unwrap(), Duration::from_secs(45));
    assert_eq!(status_wait(Some(46)).unwrap_err().code, Code::InvalidArgument);
}

/// BU-01: a cap that is none is told with its range, in few digits.
#[test]
fn bu_01_a_cap_out_of_range_is_told_in_few_digits() {
    for (dollars, shown) in [(1e308, "1e308"), (-1e300, "-1e300"), (2e9, "2000000000"), (-0.5, "-0.5")] {
        let error = cost_cap(dollars).unwrap_err();
        assert_eq!(error.message, format!("`budget_usd` must be from 0 to 1000000000, not `{shown}`"));
    }
    assert_eq!(cost_cap(1e9).unwrap().micros(), 1_000_000_000_000_000);
}

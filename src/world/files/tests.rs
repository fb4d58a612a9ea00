//! HR-11: written whole, never over something else, and never outside its folder.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn name() -> FileName {
    FileName { folder: "2026-11".into(), stem: "research_x".into(), extension: "md" }
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn folders_are_made_and_nothing_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let reports = dir.path().join("a/b");
    let first = write_new(&reports, &name(), "one").unwrap();
    let second = write_new(&reports, &name(), "two").unwrap();
    assert_eq!(std::fs::read_to_string(&first).unwrap(), "one");
    assert_eq!(std::fs::read_to_string(&second).unwrap(), "two");
    assert_eq!(files(&reports.join("2026-11")), ["research_x-2.md", "research_x.md"]);
}

#[test]
fn a_month_that_is_a_link_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), dir.path().join("2026-11")).unwrap();
    let error = write_new(dir.path(), &name(), "one").unwrap_err();
    assert_eq!(error.code, Code::SaveFailed);
    assert!(files(outside.path()).is_empty());
}

#[test]
fn a_file_in_the_place_of_a_folder_is_a_coded_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("reports");
    std::fs::write(&file, "").unwrap();
    let error = write_new(&file, &name(), "one").unwrap_err();
    assert_eq!(error.code, Code::SaveFailed);
    assert!(error.message.contains("reports"), "{}", error.message);
}

#[test]
fn faults_of_the_system_have_their_codes() {
    for (errno, code) in [
        (Errno::NOSPC, Code::DiskFull),
        (Errno::DQUOT, Code::DiskFull),
        (Errno::ACCESS, Code::PermissionDenied),
        (Errno::PERM, Code::PermissionDenied),
        (Errno::ROFS, Code::PermissionDenied),
        (Errno::IO, Code::SaveFailed),
    ] {
        let error = refused(Path::new("/reports/2026-11"), 1234, &errno.into());
        assert_eq!(error.code, code, "{errno:?}");
        assert!(error.message.contains("/reports/2026-11"), "{}", error.message);
        assert_eq!(error.message.contains("1234 bytes"), code == Code::DiskFull);
    }
}

#[test]
fn probing_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    probe(&data).unwrap();
    assert!(files(&data).is_empty());
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o700, 0o700);
    std::fs::write(dir.path().join("file"), "").unwrap();
    assert!(probe(&dir.path().join("file")).is_err());
}

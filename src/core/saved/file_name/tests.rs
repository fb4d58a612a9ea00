//! HR-11: names that stay in their folder.

use super::*;

#[test]
fn names_follow_the_pattern() {
    let name = file_name("research", TaskId::from_random(7), FileForm::Html, 1_794_700_803_000).unwrap();
    assert_eq!(name.folder, "2026-11");
    assert_eq!(name.stem, "research_00000000-0000-4000-8000-000000000007_20261115_000003");
}

#[test]
fn prefixes_that_could_escape_are_refused() {
    let long = "x".repeat(65);
    for prefix in ["", ".", "..", "../x", "a/b", "a\\b", "a b", "a\0", "é", ".hidden", "nul", "COM1.txt", "lpt9", &long]
    {
        let error = file_name(prefix, TaskId::from_random(7), FileForm::Markdown, 0).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument, "{prefix:?}");
    }
    for prefix in ["r", "my-report_v1.2", "console", "com10", &"x".repeat(64)] {
        file_name(prefix, TaskId::from_random(7), FileForm::Markdown, 0).expect(prefix);
    }
}

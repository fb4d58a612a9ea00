//! A folder of files that is asked through the binary.

use crate::cli::Home;

/// A folder of files, and a place to ask it from.
pub(crate) struct Folder {
    home: Home,
    path: std::path::PathBuf,
}

/// What a report says of a question.
pub(crate) struct Answer {
    pub(crate) report: String,
    /// The quote that stands on top.
    pub(crate) top: String,
    pub(crate) is_doubted: bool,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let home = Home::new();
        let path = home.0.path().join("notes");
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in files {
            let file = path.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Self { home, path }
    }

    pub(crate) fn run(&self, command: &str, flags: &[&str], question: &str) -> Answer {
        let args = [&[command, "--json", "--library", self.path.to_str().unwrap()], flags, &[question]].concat();
        let done = self.home.run(&args);
        assert_eq!(done.status, 0, "{question}: {}", done.stderr);
        let report = done.json()["result"].as_str().unwrap().to_owned();
        let lines = report.lines().skip_while(|line| !line.starts_with('>'));
        let top = lines.take_while(|line| line.starts_with('>')).collect::<Vec<_>>().join("\n");
        Answer { is_doubted: report.contains("Not found as asked"), report, top }
    }

    pub(crate) fn ask(&self, question: &str) -> Answer {
        self.run("deep-research", &[], question)
    }
}

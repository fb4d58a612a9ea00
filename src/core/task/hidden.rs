//! Which hidden files of a folder are documents all the same: a short closed list of what projects say about themselves to their developers. What
//! else is hidden was hidden from readers on purpose.

use crate::core::base::rows::is_listed;
use crate::core::text::secret_files::is_pattern_of_secret;

/// Folders that hold how a project is built, tested and worked on.
const FOLDERS: &str = ".azure-pipelines .buildkite .changeset .circleci .devcontainer .forgejo .gitea .github .gitlab \
     .husky .semaphore .teamcity .woodpecker";

/// Files that do, by their names without the dot and without an ending; those with one of [`ENDINGS`] are meant, too.
const FILES: &str = "appveyor babelrc browserslistrc cirrus clang-format clang-tidy clangd clippy codecov commitlintrc \
     coveragerc dockerignore drone editorconfig eslintignore eslintrc flake8 gitattributes gitlab-ci gitmodules gitpod \
     golangci goreleaser hadolint htaccess isort jshintrc luacheckrc markdownlint mergify node-version nvmrc \
     pre-commit-config pre-commit-hooks prettierignore prettierrc pylintrc python-version readthedocs releaserc \
     rubocop ruby-version rustfmt stylelintrc swcrc tool-versions travis yamllint";
const ENDINGS: &str = "yml yaml json jsonc json5 toml js cjs cfg";

/// What programs leave in folders and nobody would call a document.
const MARKS: &str = ".directory .ds_store .gitignore .gitkeep .keep .localized .nojekyll .npmignore .stfolder";

/// Whether a hidden file or folder is one of those that are read.
pub(super) fn is_of_project(name: &str, is_folder: bool) -> bool {
    if is_folder {
        return is_listed(FOLDERS, name);
    }
    let Some(bare) = name.strip_prefix('.') else { return false };
    let is_named = |bare: &str| is_listed(FILES, bare);
    let has_ending =
        || bare.rsplit_once('.').is_some_and(|(stem, ending)| is_named(stem) && is_listed(ENDINGS, ending));
    is_pattern_of_secret(name) || is_named(bare) || has_ending()
}

/// Whether it is only a mark of a program.
pub(super) fn is_mark(name: &str) -> bool {
    is_listed(MARKS, &name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: what a project says about itself is read though it is hidden; nothing else is.
    #[test]
    fn lb_01_hidden_files_of_projects_are_a_closed_list() {
        for folder in [".github", ".gitlab", ".circleci", ".devcontainer"] {
            assert!(is_of_project(folder, true) && !is_of_project(folder, false), "{folder}");
        }
        for file in [
            ".gitlab-ci.yml",
            ".readthedocs.yaml",
            ".travis.yml",
            ".pre-commit-config.yaml",
            ".editorconfig",
            ".eslintrc",
            ".eslintrc.json",
            ".eslintrc.cjs",
            ".prettierrc",
            ".prettierrc.toml",
            ".dockerignore",
            ".env.example",
            ".env.local.example",
            ".prettierignore",
            ".yamllint",
        ] {
            assert!(is_of_project(file, false) && !is_of_project(file, true), "{file}");
        }
        for other in [
            ".git",
            ".ssh",
            ".aws",
            ".config",
            ".venv",
            ".idea",
            ".cargo",
            ".env",
            ".env.local",
            ".netrc",
            ".npmrc",
            ".bashrc",
            ".eslintrc.bak",
            ".github.zip",
            ".travis.yml.swp",
            ".notes.md",
            ".",
            "..",
            "github",
            "travis.yml",
            "",
        ] {
            assert!(!is_of_project(other, true) && !is_of_project(other, false), "{other}");
        }
    }
}

//! A Rust file as the rules see it: the paths it names, its functions, attributes and macros, each with its line.
//!
//! It reads tokens, not syntax: strings, comments, lifetimes and nested braces are the lexer's business, and the inside of
//! a macro call is seen as well. It resolves `crate`, `self` and `super`; it knows no types and expands no macros.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What stands in one file.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Below the project's root, with `/`.
    pub(super) path: String,
    /// The module of the file, for files below `src/`: `["core", "journal"]`, empty for the root.
    pub(super) module: Option<Vec<String>>,
    pub(super) lines: usize,
    pub(super) paths: Vec<Place>,
    pub(super) functions: Vec<Function>,
    /// Names of attributes: `allow` of `#[allow(…)]`, also inside `#[cfg_attr(…)]`.
    pub(super) attributes: Vec<Place>,
    /// Names of macros called.
    pub(super) macros: Vec<Place>,
    /// Names of functions and methods called.
    pub(super) calls: Vec<Place>,
    /// The same calls with what stands around them.
    pub(super) details: Vec<Call>,
    /// The keywords `async` and `await`.
    pub(super) asyncs: Vec<Place>,
}

/// A name and where it stands. Paths of this crate begin with `crate`, whatever was written.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) name: Vec<String>,
    /// Whether it is test code.
    pub(super) test: bool,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) place: Place,
    /// Every word of its arguments.
    pub(super) arguments: Vec<String>,
    /// Whether its result is asked to be less than something.
    pub(super) below: bool,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) line: usize,
    pub(super) name: String,
    /// From `fn` to the closing brace.
    pub(super) lines: usize,
    /// Whether it carries `#[test]` or an attribute like `#[tokio::test]`.
    pub(super) is_test: bool,
    pub(super) docs: String,
}

/// Reads a file. What is not Rust is an error with the reason.
pub(super) fn read(path: &str, text: &str) -> Result<Source, String> {
    let tokens: TokenStream = text.parse().map_err(|error| format!("{path}: cannot be read as Rust: {error}"))?;
    let source =
        Source { path: path.to_owned(), module: module_of(path), lines: text.lines().count(), ..Source::default() };
    let scope = Scope { module: source.module.clone().unwrap_or_default(), test: is_test_file(path) };
    let mut reader = Reader { source };
    reader.walk(tokens, &scope);
    Ok(reader.source)
}

fn module_of(path: &str) -> Option<Vec<String>> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let mut module: Vec<String> = inner.split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    Some(module)
}

fn is_test_file(path: &str) -> bool {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    stem.split('/').any(|part| part == "tests" || part.ends_with("_tests"))
}

/// Where the reader is.
struct Scope {
    module: Vec<String>,
    test: bool,
}

/// What stood before an item.
#[derive(Default)]
struct Before {
    docs: String,
    is_test: bool,
    test_only: bool,
}

struct Reader {
    source: Source,
}

impl Reader {
    fn walk(&mut self, stream: TokenStream, scope: &Scope) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut before = Before::default();
        let mut module = None;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let bang = usize::from(is_punct(tokens.get(at + 1), '!'));
                    if let Some(TokenTree::Group(group)) = tokens.get(at + 1 + bang)
                        && group.delimiter() == Delimiter::Bracket
                    {
                        self.attribute(group, &mut before, scope);
                        at += 1 + bang;
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => before = Before::default(),
                TokenTree::Group(group) => {
                    let braces = group.delimiter() == Delimiter::Brace;
                    let mut inner = scope.module.clone();
                    inner.extend(module.take_if(|_| braces));
                    let test = scope.test || (braces && (before.is_test || before.test_only));
                    self.walk(group.stream(), &Scope { module: inner, test });
                    if braces {
                        before = Before::default();
                    }
                }
                TokenTree::Ident(ident) => match ident.to_string().as_str() {
                    "mod" => module = name_at(&tokens, at + 1),
                    "fn" => {
                        if self.function(&tokens, at, &before) {
                            at += 1;
                        }
                    }
                    word @ ("async" | "await") => {
                        let place = place(token, vec![word.to_owned()], scope);
                        self.source.asyncs.push(place);
                    }
                    _ => at = self.path(&tokens, at, &[], scope),
                },
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }

    fn attribute(&mut self, group: &Group, before: &mut Before, scope: &Scope) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let text = group.stream().to_string();
        let words = idents(group.stream());
        let Some(first) = words.first() else { return };
        if first.0 == "doc" {
            before.docs.push_str(&text);
            before.docs.push('\n');
            return;
        }
        let path: Vec<&str> = text.split('(').next().unwrap_or_default().split("::").map(str::trim).collect();
        before.is_test |= path.last() == Some(&"test");
        let says = |wanted: &str| words.iter().any(|(word, _)| word == wanted);
        before.test_only |= first.0 == "cfg" && says("test") && !says("not");
        let named = if first.0 == "cfg_attr" { words.len() } else { 1 };
        for (word, line) in words.into_iter().take(named) {
            self.source.attributes.push(Place { line, name: vec![word], test: scope.test });
        }
        self.walk(tokens.into_iter().collect(), scope);
    }

    /// Notes the function whose `fn` stands at `at`; a pointer type `fn(…)` is none.
    fn function(&mut self, tokens: &[TokenTree], at: usize, before: &Before) -> bool {
        let Some(name) = name_at(tokens, at + 1) else { return false };
        let rest = tokens.iter().skip(at + 2).take_while(|token| !is_punct(Some(token), ';'));
        let body = rest.filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        });
        let line = tokens.get(at).map_or(0, |token| token.span().start().line);
        let end = body.take(1).last().map_or(line, |group| group.span_close().end().line);
        self.source.functions.push(Function {
            line,
            name,
            lines: end - line + 1,
            is_test: before.is_test,
            docs: before.docs.clone(),
        });
        true
    }

    /// Notes the path that begins at `at`, with every branch of a `use` tree, and returns where it ends. A single word counts
    /// in a `use` tree only; elsewhere it is a variable.
    fn path(&mut self, tokens: &[TokenTree], mut at: usize, prefix: &[String], scope: &Scope) -> usize {
        let Some(start) = tokens.get(at) else { return at };
        let imported = !prefix.is_empty()
            || at.checked_sub(1).and_then(|last| name_at(tokens, last)).is_some_and(|word| word == "use");
        let mut name = prefix.to_vec();
        name.extend(name_at(tokens, at));
        while is_punct(tokens.get(at + 1), ':') && is_punct(tokens.get(at + 2), ':') {
            match tokens.get(at + 3) {
                Some(TokenTree::Ident(ident)) => {
                    name.push(ident.to_string());
                    at += 3;
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    self.branches(group, &name, scope);
                    return at + 3;
                }
                _ => break,
            }
        }
        self.uses(start, tokens, at, &name, scope);
        if name.len() > 1 || imported {
            let name = resolve(name, &scope.module);
            self.source.paths.push(place(start, name, scope));
        }
        at
    }

    fn branches(&mut self, group: &Group, prefix: &[String], scope: &Scope) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Ident(ident) if ident == "as" => at += 1,
                TokenTree::Ident(_) => at = self.path(&tokens, at, prefix, scope),
                TokenTree::Punct(punct) if punct.as_char() == '*' => {
                    let name = resolve(prefix.to_vec(), &scope.module);
                    self.source.paths.push(place(token, name, scope));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Notes what the last segment of a path is: a macro or a function that is called.
    fn uses(&mut self, start: &TokenTree, tokens: &[TokenTree], at: usize, name: &[String], scope: &Scope) {
        let Some(last) = name.last() else { return };
        match (tokens.get(at + 1), tokens.get(at + 2)) {
            (Some(TokenTree::Punct(punct)), Some(TokenTree::Group(_))) if punct.as_char() == '!' => {
                self.source.macros.push(place(start, vec![last.clone()], scope));
            }
            (Some(TokenTree::Group(group)), next) if group.delimiter() == Delimiter::Parenthesis => {
                self.source.calls.push(place(start, vec![last.clone()], scope));
                let below = is_punct(next, '<');
                let arguments = idents(group.stream()).into_iter().map(|(word, _)| word).collect();
                self.source.details.push(Call { place: place(start, vec![last.clone()], scope), arguments, below });
            }
            _ => {}
        }
    }
}

fn place(token: &TokenTree, name: Vec<String>, scope: &Scope) -> Place {
    Place { line: token.span().start().line, name, test: scope.test }
}

/// The path as seen from the crate's root: `super::super::world` in `crate::engine::drive` is `crate::world`.
fn resolve(name: Vec<String>, module: &[String]) -> Vec<String> {
    let mut here = module.to_vec();
    let mut own = false;
    let mut rest = name.into_iter().peekable();
    while let Some(word) = rest.next_if(|word| matches!(word.as_str(), "crate" | "self" | "super")) {
        match word.as_str() {
            "crate" => here.clear(),
            "super" => {
                here.pop();
            }
            _ => {}
        }
        own = true;
    }
    if own { std::iter::once("crate".to_owned()).chain(here).chain(rest).collect() } else { rest.collect() }
}

fn name_at(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Every word of a stream, with its line.
fn idents(stream: TokenStream) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for token in stream {
        match token {
            TokenTree::Ident(ident) => found.push((ident.to_string(), ident.span().start().line)),
            TokenTree::Group(group) => found.extend(idents(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_whatever_their_form() {
        let text = r##"
            use crate::{core::task, world::{clock, library::{self, Root}}};
            use std::fs as disk;
            mod inner {
                use super::super::budget;
                fn f() { let s = "crate::surface"; /* crate::surface */ select!(a = super::g::<u8>() => crate::engine::run()); }
            }
        "##;
        let source = read("src/core/journal.rs", text).unwrap();
        let names: Vec<String> = source.paths.iter().map(|path| path.name.join("::")).collect();
        assert_eq!(
            names,
            [
                "crate::core::task",
                "crate::world::clock",
                "crate::world::library::self",
                "crate::world::library::Root",
                "std::fs",
                "crate::core::budget",
                "crate::core::journal::g",
                "crate::engine::run",
            ]
        );
        assert_eq!(source.paths.last().map(|path| path.line), Some(6));
    }

    #[test]
    fn functions_are_measured_from_fn_to_brace() {
        let text = "trait T {\n  fn open();\n}\ntype F = fn(u8);\n/// HR-04: says why.\n#[tokio::test(flavor = \"x\")]\nasync fn long<'a>(c: char)\n\
                    {\n  let s = r#\"}\"#; let c = '}'; let d = '\\'';\n  fn inner() {}\n}\n";
        let source = read("tests/it/x.rs", text).unwrap();
        let seen: Vec<_> = source.functions.iter().map(|f| (f.name.as_str(), f.line, f.lines, f.is_test)).collect();
        assert_eq!(seen, [("open", 2, 1, false), ("long", 7, 5, true), ("inner", 10, 1, false)]);
        assert!(source.functions[1].docs.contains("HR-04: says why."));
    }

    #[test]
    fn test_code_is_known_by_file_module_and_attribute() {
        let text = "fn a() { sleep(1) }\n#[cfg(all(test, feature = \"notify\"))]\nmod checks {\n fn b() { sleep(2) }\n}\n#[test]\nfn c() { x.sleep(3) }\n\
                    #[cfg(not(test))]\nfn d() { sleep(4) }";
        let tests = |path| {
            let calls = read(path, text).unwrap().calls;
            calls.iter().filter(|call| call.name == ["sleep"]).map(|call| call.test).collect::<Vec<_>>()
        };
        assert_eq!(tests("src/world/x.rs"), [false, true, true, false]);
        assert_eq!(tests("src/world/x/tests.rs"), [true; 4]);
        assert_eq!(tests("tests/it/x.rs"), [true; 4]);
    }
}

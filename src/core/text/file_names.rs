//! Kinds of file by their names: what they end with, and what some are called as a whole. To read one more kind of text, add its ending here.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::format::Format;
use super::secret_files;
use crate::core::base::rows::{is_listed, listed};

/// What the files of each format end with.
pub(super) const EXTENSIONS: [(Format, &str); 26] = [
    (Format::Markdown, "md markdown mdown mkd mdx qmd rmd"),
    (Format::Plain, "txt text rst rest asc srt vtt"),
    (Format::Html, "html htm xhtml"),
    (Format::Org, "org"),
    (Format::AsciiDoc, "adoc asciidoc"),
    (Format::Tex, "tex latex ltx"),
    // Translations have no structure but their lines.
    (Format::Log, "log po pot"),
    (
        Format::Code,
        "rs py pyi pyx pxd js mjs cjs ts mts cts tsx jsx java kt kts scala sc go c h cc cpp cxx hpp hh hxx ipp inl cs \
         csx swift rb rake gemspec podspec php pl pm lua r jl hs lhs ml mli mll mly fs fsi fsx ex exs eex heex erl hrl \
         clj cljs cljc edn lisp el scm rkt dart zig nim d sql psql pgsql plsql pks pkb hql cql cypher sh bash zsh fish \
         ksh csh nu bats ps1 psm1 psd1 bat cmd vim proto thrift capnp fbs graphql gql prisma tf hcl nomad bicep rego \
         cue dhall jsonnet libsonnet bzl bazel star cmake mk mak ninja gradle groovy vue svelte astro css scss sass \
         less styl f f77 f90 f95 f03 f08 for pas pp dpr ada adb ads v vh sv svh vhd vhdl asm s cu cuh m mm awk sed tcl \
         nix sol vb vbs bas cob cbl cpy m4 ac am elm purs gleam cr coffee hx gd glsl vert frag hlsl wgsl wat wit ino \
         pde lean agda idr thy ron ld lds dts dtsi spec ebuild eclass applescript ahk abap cfm cshtml razor jsp ftl j2 \
         jinja jinja2 tmpl tpl mustache hbs handlebars ejs erb haml pug liquid twig njk http patch diff bib xsd xsl \
         xslt wsdl dtd rng plist csproj fsproj vbproj vcxproj props targets nuspec xaml resx",
    ),
    (Format::Json, "json jsonl ndjson geojson jsonc json5 hjson webmanifest avsc"),
    (
        Format::Settings,
        "yaml yml toml ini cfg conf cnf properties desktop service timer socket mount network netdev repo editorconfig \
         gitignore gitattributes dockerignore",
    ),
    (Format::Csv, "csv"),
    (Format::Tsv, "tsv tab"),
    (Format::Notebook, "ipynb"),
    (Format::Man, "man mdoc roff"),
    (Format::Mail, "eml emlx"),
    (Format::Mailbox, "mbox"),
    (Format::Cards, "vcf vcard"),
    (Format::Calendar, "ics ical icalendar"),
    (Format::Rtf, "rtf"),
    (Format::Docx, "docx docm dotx"),
    (Format::Pptx, "pptx pptm ppsx"),
    (Format::Xlsx, "xlsx xlsm"),
    (Format::Odt, "odt ott"),
    (Format::Ods, "ods"),
    (Format::Odp, "odp"),
    (Format::Epub, "epub"),
];
pub(super) const PDF_EXTENSION: &str = "pdf";

/// Files of code that are called by their whole name, with another ending or none.
const NAMED_CODE: &str = "apkbuild brewfile cmakelists containerfile dockerfile earthfile fastfile gemfile gnumakefile \
     jenkinsfile justfile makefile pkgbuild podfile procfile rakefile sconstruct tiltfile vagrantfile";

/// Files that are called by their whole name, whose ending alone would say nothing or something else. A dot before the name is not asked for.
const WHOLE_NAMES: [(Format, &str); 3] = [
    (
        Format::Code,
        // XML is data of any size; these say how a project is built or run. Which version of a package is used stands nowhere
        // but in the files that lock it.
        "go.mod go.work meson.build manifest.in meson_options.txt rebar.config pom.xml build.xml ivy.xml web.xml \
         androidmanifest.xml package.xml logback.xml log4j2.xml gemfile.lock podfile.lock yarn.lock mix.lock",
    ),
    (Format::Json, "composer.lock pipfile.lock flake.lock deno.lock swcrc babelrc jshintrc"),
    (
        Format::Settings,
        "cargo.lock poetry.lock uv.lock pdm.lock pubspec.lock pipfile codeowners editorconfig gitignore gitattributes \
         gitmodules dockerignore prettierignore eslintignore npmignore prettierrc eslintrc stylelintrc coveragerc \
         flake8 pylintrc yamllint clang-format clang-tidy clangd browserslistrc nvmrc tool-versions",
    ),
];

/// What stands before an odd ending in the name of a text, as in `README.Debian`.
pub(super) const NAMED_TEXT: &str = "readme changelog changes license licence copying copyright news authors todo \
     install notice history contributing thanks faq";

/// What is put behind the name of a file that is to be filled in: `app.yml.example` is what `app.yml` is.
pub(super) const PATTERNS: &str = "in example sample dist template tmpl tpl j2 erb";

/// The format of a file with this ending, in lower case.
pub(super) fn of_ending(ending: &str) -> Option<Format> {
    static FORMATS: LazyLock<HashMap<&str, Format>> = LazyLock::new(|| {
        // The first row with an ending has it.
        let rows = EXTENSIONS.iter().rev();
        rows.flat_map(|(format, endings)| listed(endings).map(|ending| (ending, *format))).collect()
    });
    FORMATS.get(ending).copied()
}

/// The format of a file that is called so as a whole, in lower case.
pub(super) fn of_whole_name(name: &str) -> Option<Format> {
    let bare = name.strip_prefix('.').unwrap_or(name);
    if is_named_code(bare) {
        return Some(Format::Code);
    }
    WHOLE_NAMES.iter().find(|(_, names)| is_listed(names, bare)).map(|(format, _)| *format)
}

/// Whether it is a file of code that has no ending by itself.
pub(super) fn is_named_code(stem: &str) -> bool {
    is_listed(NAMED_CODE, stem)
}

/// The format of a file that is to be filled in, by what it will be called.
pub(super) fn of_pattern(stem: &str, ending: &str) -> Option<Format> {
    if !is_listed(PATTERNS, ending) {
        return None;
    }
    let inner = stem.rsplit_once('.').map(|(_, inner)| inner);
    // What shows how to fill in a file of secrets has none.
    let to_fill_in = || (stem == "env" || secret_files::is_secret(stem)).then_some(Format::Settings);
    let of_ending = || inner.and_then(Format::of_extension);
    let named = inner.and_then(|_| of_whole_name(stem)).or_else(of_ending).or_else(to_fill_in);
    named.filter(|format| format.is_its_text())
}

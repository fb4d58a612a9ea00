//! The headings that lists of sources have.

use crate::core::base::rows::phrases;

/// Headings of lists of sources, lower case.
const HEADINGS: &str = "sources, source, source list, sources cited, cited sources, sources used, sources consulted, \
     sources and references, key sources, references, reference, reference list, references and sources, works cited, \
     works consulted, bibliography, citations, cited works, footnotes, endnotes, notes, notes and references, \
     literature, literature cited, links, further reading, quellen, quellenverzeichnis, einzelnachweise, literatur, \
     literaturverzeichnis, fuentes, referencias, bibliografía, références, bibliographie, fonti, riferimenti, \
     bibliografia, fontes, referências, bronnen, źródła, источники, литература, 参考文献, 参考资料, 来源, 资料来源, 引用, 出典, 出处, 참고문헌";

/// No heading is longer, in capitals neither.
const HEADING_BYTES: usize = 60;

/// Whether a line is the heading of a list of sources.
pub(super) fn is_heading(line: &str) -> bool {
    let marked = line.starts_with(['#', '*', '_']) || line.trim_end_matches(['*', '_']).ends_with([':', '：']);
    let bare = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | ':' | '：' | '='));
    let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let bare = bare.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', ' ']);
    // Without any mark a line of one word can be the end of a paragraph; with a capital it is a heading.
    let may_be = marked || bare.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_lowercase());
    let is_known = |lower: &str| phrases(HEADINGS).any(|known| known == lower);
    may_be && bare.len() <= HEADING_BYTES && is_known(&bare.to_lowercase())
}

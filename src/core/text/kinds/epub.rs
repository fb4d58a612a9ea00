//! Books: the chapters of an EPUB in the order of its spine, read as pages of HTML are.

use std::collections::BTreeMap;

use super::super::page::html;
use super::super::spans::{PlaceInFile, Unit};
use super::super::{Contents, LeftOut, Unreadable, unescaped_path};
use super::build::Builder;
use super::xml::{Token, Tokens};
use super::zip::Archive;
use super::{element, resolved};

pub(super) fn extract(archive: &mut Archive<'_>) -> Result<Contents, Unreadable> {
    let container = archive.needed("META-INF/container.xml")?;
    let rootfile = |token: Token<'_>| match token {
        Token::Open(tag) | Token::Empty(tag) if tag.name == "rootfile" => {
            tag.get("full-path").map(|path| path.into_owned())
        }
        Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => None,
    };
    let package_path = Tokens::new(&container).find_map(rootfile);
    let package_path = package_path.ok_or(Unreadable::Damaged("the book does not say where its text is"))?;
    let package = archive.needed(&package_path)?;
    let mut out = Builder::titled(element(&package, "title"));
    let mut unread = false;
    for (number, path) in (1..).zip(chapters(&package, &package_path)) {
        if !out.takes_part(usize::try_from(number - 1).unwrap_or(usize::MAX)) {
            break;
        }
        let Some(bytes) = archive.entry(&path)? else { continue };
        if bytes.contains(&0) {
            unread = true;
            continue;
        }
        out.place(PlaceInFile::of(Unit::Chapter, number, number));
        out.section();
        let (_, page) = html::document(&super::super::decode::page(&bytes, None, true));
        out.left_out.extend(page.cut.then_some(LeftOut::End));
        out.markdown(&page.markdown, 0);
    }
    let contents = out.finish();
    if contents.text.is_empty() && unread {
        return Err(Unreadable::Protected);
    }
    Ok(contents)
}

/// The paths of the chapters in their order, without the page that only lists them.
fn chapters(package: &str, package_path: &str) -> Vec<String> {
    let mut items = BTreeMap::new();
    let mut spine = Vec::new();
    for token in Tokens::new(package) {
        let (Token::Open(tag) | Token::Empty(tag)) = token else { continue };
        match tag.name {
            "item" => {
                let is_list = tag.get("properties").is_some_and(|what| what.split_whitespace().any(|one| one == "nav"));
                if let (Some(id), Some(path), false) = (tag.get("id"), tag.get("href"), is_list) {
                    items.insert(id, resolved(package_path, &unescaped_path(&path)));
                }
            }
            "itemref" => spine.extend(tag.get("idref")),
            _ => {}
        }
    }
    spine.iter().filter_map(|id| items.get(id).cloned()).collect()
}

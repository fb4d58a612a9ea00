//! Other extractors, to compare with.

/// From the bytes of a page to its text.
pub(crate) type Extractor = fn(&[u8]) -> String;

/// By name; only ours unless built with the feature `compare`.
#[cfg(not(feature = "compare"))]
pub(crate) fn others() -> Result<Vec<(&'static str, Extractor)>, String> {
    Err("--compare needs the other extractors: add `--features compare` before the `--`".to_owned())
}

#[cfg(feature = "compare")]
pub(crate) fn others() -> Result<Vec<(&'static str, Extractor)>, String> {
    fn html(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(bytes)
    }
    let smoothie: Extractor = |bytes| {
        let parsed = dom_smoothie::Readability::new(html(bytes).as_ref(), None, None).and_then(|mut page| page.parse());
        parsed.map(|article| article.text_content.to_string()).unwrap_or_default()
    };
    let rs: Extractor = |bytes| rs_trafilatura::extract(&html(bytes)).map(|page| page.content_text).unwrap_or_default();
    let original: Extractor = |bytes| {
        let mut options = trafilatura::Options::default();
        options.enable_fallback = true;
        trafilatura::extract(&html(bytes), &options).map(|page| page.content_text).unwrap_or_default()
    };
    let whole: Extractor =
        |bytes| hadal::eval::blocks(bytes).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join("\n");
    Ok(vec![("rs-trafilatura", rs), ("trafilatura", original), ("dom_smoothie", smoothie), ("all text", whole)])
}

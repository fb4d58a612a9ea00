//! What the class and id of an element say about what is in it.
//!
//! Words that authors of pages use, in groups. A group is only a hint: what it is worth is learnt (see `model`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::core::base::rows::listed;

/// One group per line; a class belongs to it when one of its words does.
const GROUPS: [&str; 22] = [
    "nav navbar navigation menu menubar submenu topbar toolbar breadcrumb breadcrumbs crumbs megamenu dropdown",
    "footer foot colophon copyright legal bottom disclaimer",
    "header head masthead hero top banner intro",
    "sidebar aside rail side secondary complementary widget widgets sticky",
    "share sharing social follow facebook twitter linkedin whatsapp pinterest",
    "comment comments reply replies disqus respond discussion",
    "related recommend recommended recommendations more also similar trending popular recent latest upsell crosssell \
     next prev previous readmore suggested suggestions",
    "ad ads advert advertisement sponsor sponsored promo promotion cta affiliate announcement outbrain taboola",
    "cookie cookies consent gdpr popup modal overlay dialog drawer offcanvas lightbox toast notification alert tooltip \
     onetrust",
    "newsletter subscribe subscription signup login signin register account auth paywall form contact",
    "pagination pager paging page pages loadmore paginator",
    "tag tags category categories meta byline author bio date time timestamp posted published credit avatar profile",
    "hidden hide sr visually invisible noprint skip screen collapse collapsed print",
    "content article post entry story body main prose markdown richtext wysiwyg text rte copy editor",
    "product description desc details detail spec specs specification specifications features feature overview summary \
     attributes ingredients pdp",
    "message thread topic answer answers question bbwrapper postbody forum quote signature user",
    "search filter filters sort facet facets refine selector option options swatch variant quantity",
    "card cards item items list grid tile tiles result results listing collection row col column",
    "cart price buy checkout basket shipping wishlist sku stock delivery payment add",
    "toc contents anchor index outline jump",
    "review reviews rating ratings stars testimonial testimonials faq faqs accordion tab tabs qa",
    "carousel slider slide slides slick swiper gallery media image caption video thumb thumbnail logo icon button btn \
     label badge",
];

pub(super) const COUNT: usize = GROUPS.len();

/// Which groups each word is in, as bits.
static WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (no, group) in GROUPS.iter().enumerate() {
        for word in listed(group) {
            *words.entry(word).or_default() |= 1 << no;
        }
    }
    words
});

/// The groups that a class or id belongs to, as bits.
pub(super) fn groups(class: &str) -> u32 {
    let mut found = 0;
    each_word(class, |word| found |= WORDS.get(word).copied().unwrap_or_default());
    found
}

/// The words of a class: `post-body`, `post_body` and `postBody` have two.
fn each_word(class: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut small_before = false;
    for c in class.chars().chain([' ']) {
        let ends = !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && small_before);
        if ends && !word.is_empty() {
            take(&word);
            word.clear();
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        small_before = c.is_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_word_by_word() {
        let mut words = Vec::new();
        each_word("post-body mainNav__item2", |word| words.push(word.to_owned()));
        assert_eq!(words, ["post", "body", "main", "nav", "item"]);
        assert_eq!(groups("site-footer") & 2, 2);
        assert_eq!(groups("heading"), 0, "a word inside another is not the word");
    }
}

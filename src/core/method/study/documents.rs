//! Which documents a study reads and shows to its models, and whether searches made of them may leave this machine.
//!
//! What a call names may be shown. What is only registered is shown to models on this machine, and to others if the user allows it once and for all.

use std::path::Path;

use crate::core::evidence::place::is_web;

/// What is known of a call's documents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Documents<'a> {
    /// The folders and files that the call names.
    pub(crate) named: &'a [String],
    /// Whether others are registered that a call of this kind looks at.
    pub(crate) registered: bool,
    /// `library.to_model`.
    pub(crate) to_model: bool,
    /// Every model runs on this machine.
    pub(crate) near: bool,
}

impl Documents<'_> {
    /// Whether documents are read at all.
    pub(crate) fn are_read(&self) -> bool {
        !self.named.is_empty() || (self.registered && self.all_may_be_shown())
    }

    /// Whether registered documents are left out because nobody may see them, which the user is told.
    pub(crate) fn are_left_out(&self) -> bool {
        self.registered && !self.are_read()
    }

    /// Whether searches made of what was read stay in the library.
    pub(crate) fn stay_private(&self, goes_on_from_a_task: bool) -> bool {
        let may_leave = !self.named.is_empty() || self.to_model;
        !may_leave && (self.are_read() || goes_on_from_a_task)
    }

    /// Whether what stands at a place may be shown to the models.
    pub(crate) fn may_be_shown(&self, location: &str) -> bool {
        let is_named = || self.named.iter().any(|root| Path::new(location).starts_with(root));
        self.all_may_be_shown() || is_web(location) || is_named()
    }

    fn all_may_be_shown(&self) -> bool {
        self.near || self.to_model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ST-02: the permission for each kind of call.
    #[test]
    fn documents_are_shown_to_whom_their_user_allows() {
        let named = ["/notes".to_owned()];
        // named, registered, to_model, near -> read, left out, private, private when it goes on from a task
        for (case, want) in [
            ((true, false, false, false), (true, false, false, false)),
            ((false, true, false, false), (false, true, false, true)),
            ((false, true, false, true), (true, false, true, true)),
            ((false, true, true, false), (true, false, false, false)),
            ((false, false, false, false), (false, false, false, true)),
        ] {
            let (is_named, registered, to_model, near) = case;
            let roots = if is_named { &named[..] } else { &[] };
            let documents = Documents { named: roots, registered, to_model, near };
            let private = (documents.stay_private(false), documents.stay_private(true));
            assert_eq!((documents.are_read(), documents.are_left_out(), private.0, private.1), want, "{case:?}");
        }
    }

    /// ST-02: of what an earlier task read, only what this call may show.
    #[test]
    fn places_are_shown_by_the_same_rule() {
        let named = ["/notes".to_owned()];
        let far = Documents { named: &named, registered: true, to_model: false, near: false };
        for (location, shown) in
            [("https://a.example/", true), ("/notes/a.md", true), ("/notes2/a.md", false), ("/else/a.md", false)]
        {
            assert_eq!(far.may_be_shown(location), shown, "{location}");
            assert!(Documents { near: true, ..far }.may_be_shown(location), "{location}");
        }
    }
}

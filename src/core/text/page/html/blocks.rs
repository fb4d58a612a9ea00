//! The blocks of a page: runs of text that a reader sees as one piece.

use super::tree::{Kind, Tree};

/// A paragraph, heading, list item, table cell or the like.
#[derive(Debug)]
pub(super) struct Block {
    /// The nearest block element.
    pub(super) node: usize,
    /// From its first text node to behind its last; what else stands between has no text of the page.
    pub(super) nodes: std::ops::Range<usize>,
    /// The text, white space collapsed.
    pub(super) text: String,
    pub(super) words: usize,
    /// Words inside links.
    pub(super) linked: usize,
    /// Inside `<pre>`.
    pub(super) code: bool,
}

/// Blocks of this many words and few links are what running text is made of.
const LONG_WORDS: usize = 20;

impl Block {
    pub(super) fn is_long(&self) -> bool {
        self.words >= LONG_WORDS && self.linked * 3 < self.words
    }
}

/// Cuts a page into blocks, in document order.
pub(super) fn blocks(tree: &Tree) -> Vec<Block> {
    let mut cutter =
        Cutter { tree, done: Vec::new(), open: None, stack: Vec::new(), links: 0, pres: 0, after_link: false };
    let mut at = 1;
    while at < tree.nodes.len() {
        at = cutter.step(at);
    }
    cutter.leave(usize::MAX);
    cutter.cut();
    cutter.done
}

struct Cutter<'t> {
    tree: &'t Tree,
    done: Vec<Block>,
    open: Option<Block>,
    /// The open elements, with where they end and what leaving them means.
    stack: Vec<(usize, Leaving)>,
    links: usize,
    pres: usize,
    /// The last thing left was a link.
    after_link: bool,
}

#[derive(Clone, Copy)]
struct Leaving {
    block: Option<usize>,
    link: bool,
    pre: bool,
}

impl Cutter<'_> {
    /// Reads one node and says which is next.
    fn step(&mut self, at: usize) -> usize {
        self.leave(at);
        let Some(node) = self.tree.nodes.get(at) else { return at + 1 };
        match &node.kind {
            Kind::Text(range) => self.text(at, self.tree.text.get(range.clone()).unwrap_or_default()),
            Kind::Element(element) => {
                if element.name.is_dropped() {
                    return node.end.max(at + 1);
                }
                let name = element.name.text();
                let block = element.name.is_block().then_some(at);
                let is_break = |at: usize| self.tree.element(at).is_some_and(|element| element.name.text() == "br");
                if block.is_some() || (is_break(at) && is_break(at + 1)) {
                    self.cut();
                }
                // Links side by side are apart on the screen, also where no space is between them.
                if name == "a"
                    && let Some(open) = &mut self.open
                    && self.after_link
                    && !open.text.ends_with(' ')
                {
                    open.text.push(' ');
                }
                let leaving = Leaving { block, link: name == "a", pre: name == "pre" };
                self.links += usize::from(leaving.link);
                self.pres += usize::from(leaving.pre);
                self.stack.push((node.end, leaving));
            }
        }
        at + 1
    }

    /// Leaves the elements that end before `at`.
    fn leave(&mut self, at: usize) {
        while let Some((end, leaving)) = self.stack.last().copied()
            && end <= at
        {
            self.stack.pop();
            if leaving.block.is_some() {
                self.cut();
            }
            self.after_link = leaving.link;
            self.links -= usize::from(leaving.link);
            self.pres -= usize::from(leaving.pre);
        }
    }

    fn text(&mut self, at: usize, text: &str) {
        self.after_link = false;
        if self.open.is_none() && text.trim().is_empty() {
            return;
        }
        let node = || self.stack.iter().rev().find_map(|(_, leaving)| leaving.block).unwrap_or_default();
        let code = self.pres > 0;
        let block = match &mut self.open {
            Some(block) => block,
            none => none.insert(Block { node: node(), nodes: at..at, text: String::new(), words: 0, linked: 0, code }),
        };
        block.nodes.end = at + 1;
        let joined = !block.text.is_empty() && !block.text.ends_with(' ') && !text.starts_with(char::is_whitespace);
        let mut words = 0;
        for (no, word) in text.split_whitespace().enumerate() {
            let goes_on = no == 0 && joined;
            if !goes_on && !block.text.is_empty() && !block.text.ends_with(' ') {
                block.text.push(' ');
            }
            words += usize::from(!goes_on);
            block.text.push_str(word);
        }
        if text.ends_with(char::is_whitespace) && !block.text.is_empty() && !block.text.ends_with(' ') {
            block.text.push(' ');
        }
        block.words += words;
        if self.links > 0 {
            block.linked += words;
        }
    }

    fn cut(&mut self) {
        if let Some(mut block) = self.open.take() {
            block.text.truncate(block.text.trim_end().len());
            block.words = block.words.max(1);
            block.linked = block.linked.min(block.words);
            self.done.push(block);
        }
    }
}

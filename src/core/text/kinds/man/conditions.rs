//! Conditions of roff: what is true where a page is read on a terminal.

/// What conditions may ask for.
pub(super) struct Facts<'f> {
    pub(super) is_defined: &'f dyn Fn(&str) -> bool,
    pub(super) has_register: &'f dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for Facts<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Facts").finish_non_exhaustive()
    }
}

/// Whether the condition at the beginning of a text is met, if that can be told; and what stands behind it.
pub(super) fn met<'t>(text: &'t str, facts: &Facts<'_>) -> (Option<bool>, &'t str) {
    let text = text.trim_start_matches([' ', '\t']);
    let positive = text.trim_start_matches(['!', ' ']);
    let is_negated = text.bytes().take(text.len() - positive.len()).filter(|byte| *byte == b'!').count() % 2 == 1;
    let (value, behind) = positive_met(positive, facts);
    (value.map(|value| value != is_negated), behind)
}

fn positive_met<'t>(text: &'t str, facts: &Facts<'_>) -> (Option<bool>, &'t str) {
    let Some(first) = text.chars().next() else { return (None, "") };
    let behind = text.get(first.len_utf8()..).unwrap_or_default();
    match first {
        // Terminals, and the first page, which is odd.
        'n' | 'o' => (Some(true), behind),
        't' | 'e' | 'v' => (Some(false), behind),
        'd' | 'r' => {
            let (name, behind) = word(behind.trim_start());
            let value = if first == 'd' { (facts.is_defined)(name) } else { (facts.has_register)(name) };
            (Some(value), behind)
        }
        'c' | 'm' | 'F' | 'S' => (None, word(behind.trim_start()).1),
        '\'' | '"' | '\u{7}' => compared(behind, first),
        _ => {
            let (expression, behind) = expression(text);
            (number(expression).map(|value| value > 0), behind)
        }
    }
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t', '\\']).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// `'a'b'`: whether both are equal.
fn compared(text: &str, mark: char) -> (Option<bool>, &str) {
    let Some((left, rest)) = text.split_once(mark) else { return (None, "") };
    let Some((right, behind)) = rest.split_once(mark) else { return (None, "") };
    (Some(left == right), behind)
}

/// A number with what is computed of it, up to a blank that is outside of brackets.
fn expression(text: &str) -> (&str, &str) {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            ' ' | '\t' | '\\' if open == 0 => return text.split_at_checked(at).unwrap_or((text, "")),
            _ => {}
        }
    }
    (text, "")
}

/// The value of an expression; roff computes from the left to the right. Nothing for what is none.
pub(super) fn number(expression: &str) -> Option<i64> {
    let mut outer: Vec<(i64, &str)> = Vec::new();
    let (mut value, mut operator) = (0_i64, "");
    let mut has_value = false;
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_digit() || c == '.' {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end)?;
            let whole = digits.split('.').next().unwrap_or_default();
            let number = if whole.is_empty() { 0 } else { whole.parse().ok()? };
            value = computed(value, operator, number)?;
            (operator, has_value) = ("", true);
            // A unit.
            rest = behind.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(behind);
            continue;
        }
        if c == '(' {
            outer.push((value, operator));
            (value, operator) = (0, "");
        } else if c == ')' {
            let (before, waiting) = outer.pop()?;
            value = computed(before, waiting, value)?;
        } else if c != ' ' {
            operator = OPERATORS.into_iter().find(|known| rest.starts_with(known))?;
        }
        rest = rest.get(operator_length(c, operator)..)?;
    }
    (has_value && outer.is_empty()).then_some(value)
}

/// The longer ones first.
const OPERATORS: [&str; 16] = ["<=", ">=", "==", "<>", "<?", ">?", "+", "-", "*", "/", "%", "<", ">", "=", "&", ":"];

fn operator_length(c: char, operator: &str) -> usize {
    if matches!(c, '(' | ')' | ' ') { 1 } else { operator.len() }
}

fn computed(left: i64, operator: &str, right: i64) -> Option<i64> {
    match operator {
        "" => Some(right),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "<" => Some(i64::from(left < right)),
        ">" => Some(i64::from(left > right)),
        "<=" => Some(i64::from(left <= right)),
        ">=" => Some(i64::from(left >= right)),
        "=" | "==" => Some(i64::from(left == right)),
        "<>" => Some(i64::from(left != right)),
        "<?" => Some(left.min(right)),
        ">?" => Some(left.max(right)),
        "&" => Some(i64::from(left > 0 && right > 0)),
        ":" => Some(i64::from(left > 0 || right > 0)),
        _ => None,
    }
}

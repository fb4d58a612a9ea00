//! How much a question asks for, told from its text alone.
//!
//! Points are given for length and structure (questions, lists, separators), which every language has, and for words that
//! ask for comparison, analysis, forecasts or breadth. Word stems cover English and their cousins in a few other
//! languages; a text in any other is judged by its structure. It is a guess that finished runs correct later.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::language::words::words;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Complexity {
    Simple,
    Medium,
    Complex,
}

impl Complexity {
    pub(crate) const ALL: [Self; 3] = [Self::Simple, Self::Medium, Self::Complex];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Medium => "medium",
            Self::Complex => "complex",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|complexity| complexity.name() == name)
    }
}

/// From this many points on a question is medium, or complex.
const MEDIUM: usize = 2;
const COMPLEX: usize = 5;

/// The complexity of a question.
pub(crate) fn complexity(query: &str) -> Complexity {
    match points(query) {
        points if points >= COMPLEX => Complexity::Complex,
        points if points >= MEDIUM => Complexity::Medium,
        _ => Complexity::Simple,
    }
}

/// Beginnings of words that ask for more than a fact; scripts without spaces are searched anywhere. Lower case, one space
/// between them.
const COMPARISON: &str = "compar versus vs differen pros cons tradeoff alternativ benchmark vergleich \
    gegenüber unterschied diferenc сравн отлич 比较 比較 对比 違い 비교";
const ANALYSIS: &str = "analy análi anali evaluat assess investigat impact implication effect cause strateg \
    review survey overview literature systematic comprehensive depth detailed thorough landscape critical \
    evidence synthes explor examin auswirk untersuch bewert évalu impacto evalu анализ влиян оцен 分析 影响 影響 评估 評価 \
    調査 분석 영향";
const FORECAST: &str = "forecast predict future outlook trend project scenario roadmap prognos zukunft \
    entwicklung pronósti prévision futur tendenc tendance прогноз будущ 预测 予測 趋势 未来 将来 전망 미래";
const BREADTH: &str = "global worldwide across industr market markt mercado marché countr histor decade centur \
    regulat sector every each international economic policy policies weltweit länder mundial país pays mondial \
    рынк стран миров 全球 市场 市場 各国 历史 歴史 산업 시장 세계";
const CONJUNCTIONS: &str = "and or und oder et ou y e o и или";

pub(super) fn points(query: &str) -> usize {
    let folded = query.to_lowercase();
    let all: Vec<String> = words(query).collect();
    let count = |wanted: fn(char) -> bool| query.chars().filter(|c| wanted(*c)).count();
    // Two characters of a script without spaces say about as much as a word.
    let size = all.iter().filter(|word| !word.chars().any(is_dense)).count() + count(is_dense).div_ceil(2);
    let length = [12, 25, 50, 100].iter().filter(|limit| size > **limit).count();
    let questions = count(|c| matches!(c, '?' | '？' | '؟' | '՞' | '፧')).saturating_sub(1).min(3);
    let separators = count(|c| matches!(c, ',' | ';' | '，' | '、' | '；' | '،' | '؛'));
    let joints = all.iter().filter(|word| CONJUNCTIONS.split(' ').any(|joint| joint == *word)).count();
    let parts = [2, 4].iter().filter(|limit| separators + joints >= **limit).count();
    let hits = |stems: &str| stems.split(' ').filter(|stem| stands_in(stem, &all, &folded)).count();
    length
        + questions
        + (listed(query) / 2).min(3)
        + parts
        + 2 * hits(COMPARISON).min(1)
        + hits(ANALYSIS).min(3)
        + hits(FORECAST).min(2)
        + hits(BREADTH).min(2)
        + usize::from(years(&all) >= 2)
}

fn stands_in(stem: &str, words: &[String], folded: &str) -> bool {
    if stem.chars().all(is_dense) {
        folded.contains(stem)
    } else if stem.len() < 4 {
        words.iter().any(|word| word == stem)
    } else {
        words.iter().any(|word| word.starts_with(stem))
    }
}

/// Scripts that are written without spaces, or with so few characters to a word that it makes no difference.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Lines that are items of a list.
fn listed(query: &str) -> usize {
    let is_item = |line: &str| {
        let line = line.trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_numeric());
        line.starts_with(['-', '*', '•', '·', '–', '・'])
            || (numbered.len() < line.len() && numbered.starts_with(['.', ')', '、', '．', '）']))
    };
    query.lines().filter(|line| is_item(line)).count()
}

/// Different years that are named.
fn years(words: &[String]) -> usize {
    let year = |word: &String| word.parse::<u16>().ok().filter(|year| word.len() == 4 && (1_500..2_200).contains(year));
    words.iter().filter_map(year).collect::<BTreeSet<_>>().len()
}

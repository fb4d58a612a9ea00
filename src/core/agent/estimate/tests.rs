//! HR-10: estimates that learn.

use proptest::prelude::*;

use Complexity::{Complex, Medium, Simple};

use super::complexity::points;
use super::*;

const STANDARD: &str = "deep-research-preview-04-2026";
const MAX: &str = "deep-research-max-preview-04-2026";

/// A question of each complexity; the table below checks that they are.
const QUESTIONS: [&str; 3] = [
    "What is the capital of Australia?",
    "Compare the battery life of the three best-selling electric cars",
    "Analyse the global market for grid batteries, compare the main chemistries, and forecast prices until 2035",
];

const TABLE: &[(&str, Complexity)] = &[
    (QUESTIONS[0], Simple),
    (QUESTIONS[1], Medium),
    (QUESTIONS[2], Complex),
    ("why?", Simple),
    ("Who invented the transistor?", Simple),
    ("When was SQLite first released?", Simple),
    ("How tall is Mount Everest?", Simple),
    ("Define photosynthesis", Simple),
    ("What does HTTP status 429 mean?", Simple),
    ("Population of Reykjavik in 2024", Simple),
    ("Is aspirin safe during pregnancy?", Simple),
    ("What is the boiling point of ethanol and of methanol?", Simple),
    ("latest stable version of PostgreSQL", Simple),
    ("How deep is the hadal zone?", Simple),
    ("Symptoms of vitamin D deficiency", Simple),
    ("Wer hat den Buchdruck erfunden?", Simple),
    ("¿Cuál es la capital de Perú?", Simple),
    ("Quelle est la hauteur de la tour Eiffel ?", Simple),
    ("Кто написал «Войну и мир»?", Simple),
    ("日本の首都はどこですか？", Simple),
    ("中国最长的河流是什么？", Simple),
    ("What are the differences between TCP and QUIC for mobile clients?", Medium),
    ("Pros and cons of heat pumps in old houses", Medium),
    ("Which vector databases are used in production, and how do they compare?", Medium),
    ("What caused the 2008 financial crisis? Who was held responsible?", Medium),
    ("How did the history of the printing press affect literacy in Europe between 1450 and 1600?", Medium),
    ("Overview of CRISPR therapies that are approved in the EU and the US", Medium),
    ("Trends in remote work since 2020 across Europe", Medium),
    ("Welche Auswirkungen hat die Wärmepumpenförderung auf den Markt?", Medium),
    ("Comparar las energías solar y eólica en España", Medium),
    ("比较特斯拉和比亚迪的市场份额", Medium),
    ("Сравнить системы здравоохранения Германии и Франции", Medium),
    ("Find papers on sparse attention; list their datasets, results, code and licences", Medium),
    (
        "Comprehensive review of the literature on intermittent fasting: effects on weight, insulin and mortality, \
         with an assessment of the evidence for each",
        Complex,
    ),
    (
        "Compare the data protection laws of the EU, the US, China, India and Brazil, their history since 1995, and \
         what they mean for a small company that sells software in all of these countries",
        Complex,
    ),
    (
        "Compare Rust, Go, Zig and C++ for embedded systems:\n- memory safety\n- toolchains\n- certification\n- \
         hiring\n- long-term outlook",
        Complex,
    ),
    (
        "What is the impact of interest rates on housing? How does it differ between countries? What will happen \
         until 2030? Which policies worked?",
        Complex,
    ),
    ("Investigate supply-chain risks for rare earths worldwide and predict scenarios for 2030 and 2040", Complex),
    (
        "Analysiere die Entwicklung des weltweiten Marktes für Halbleiter von 2000 bis 2025, vergleiche die \
         Strategien der wichtigsten Länder und bewerte die Auswirkungen auf Europa",
        Complex,
    ),
    (
        "分析全球电动汽车市场的发展趋势，比较中国、美国、欧洲和日本的政策，评估电池技术的影响，并预测2030年的市场格局、\
         价格走势以及主要厂商的竞争策略",
        Complex,
    ),
    (
        "世界の半導体市場を分析し、日本、米国、韓国、台湾の政策を比較して、2030年までの価格を予測してください。各国の補助金の影響と\
         歴史についても詳しく説明してください。",
        Complex,
    ),
    (
        "1. Who are the main makers of electrolysers?\n2. What do they cost?\n3. How efficient are they?\n4. What \
         is the outlook?",
        Complex,
    ),
];

#[test]
fn hr_10_complexity_is_told_from_the_text() {
    let wrong = TABLE.iter().filter(|(query, want)| complexity(query) != *want);
    let wrong: Vec<String> = wrong.map(|(query, want)| format!("{} for {want:?}: {query}", points(query))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn run(complexity: Complexity, dollars: f64, minutes: u64) -> Past {
    let actual = Usd::from_dollars(dollars).unwrap();
    Past { complexity, actual, duration_ms: minutes * 60_000, estimated: None, estimated_ms: None }
}

/// Without runs the published figures are told, and that they are no more than that.
#[test]
fn hr_10_the_beginning_is_what_is_published() {
    for (agent, band) in [(STANDARD, 1.0..=3.0), (MAX, 3.0..=7.0)] {
        for (query, want) in QUESTIONS.iter().zip(Complexity::ALL) {
            let estimate = estimate(query, agent, &[]);
            assert_eq!((estimate.complexity, estimate.runs, estimate.runs_alike), (want, 0, 0));
            let Range { min, likely, max } = estimate.cost;
            assert!([min, likely, max].iter().all(|cost| band.contains(&cost.dollars())), "{estimate:?}");
            assert!(min < likely && likely < max, "{estimate:?}");
            assert!(estimate.will_likely_go_async(30_000));
            assert_eq!(eta_ms(&estimate, 0), None);
            assert!(recommendation(&estimate).contains("No run has finished here yet"));
        }
    }
}

#[test]
fn hr_10_runs_correct_the_estimate() {
    let likely = |past: &[Past]| estimate(QUESTIONS[1], STANDARD, past).cost.likely.dollars();
    // One run moves it, three move it further, and one that is absurd does not undo that.
    let one = likely(&[run(Medium, 4.0, 12)]);
    let three = likely(&[run(Medium, 4.0, 12); 3]);
    let odd = likely(&[run(Medium, 4.0, 12), run(Medium, 4.0, 12), run(Medium, 4_000.0, 12), run(Medium, 4.0, 12)]);
    assert!(2.0 < one && one < three && three < 4.0 && odd < 4.5, "{one} {three} {odd}");
    // Runs of another complexity cost twice what is published for it: so will this one.
    let others = likely(&[run(Simple, 2.6, 6); 10]);
    assert!((3.5..=4.0).contains(&others), "{others}");
    // A run whose cost is not known says nothing of cost.
    assert!((likely(&[run(Medium, 0.0, 12); 9]) - 2.0).abs() < 1e-6);
    let many = estimate(QUESTIONS[1], STANDARD, &vec![run(Medium, 2.0, 12); limits::PAST_RUNS as usize + 1]);
    assert_eq!(many.runs, limits::PAST_RUNS);
    let estimate = estimate(QUESTIONS[1], STANDARD, &[run(Simple, 2.6, 6), run(Medium, 2.0, 12)]);
    assert_eq!((estimate.runs, estimate.runs_alike), (2, 1));
    assert!(recommendation(&estimate).contains("2 finished runs, 1 of this complexity"));
}

#[test]
fn ranges_follow_what_was_seen() {
    let width = |past: &[Past]| {
        let Range { min, max, .. } = estimate(QUESTIONS[1], STANDARD, past).cost;
        max.dollars() / min.dollars()
    };
    let narrow = width(&[run(Medium, 2.0, 12); 30]);
    let spread: Vec<Past> = (0..30_u32).map(|n| run(Medium, 0.5 + f64::from(n) * 0.3, 12)).collect();
    assert!(narrow < width(&[]) && width(&[]) < width(&spread), "{narrow} {} {}", width(&[]), width(&spread));
}

/// The error of earlier estimates is told as it was.
#[test]
fn hr_10_earlier_errors_are_told() {
    let told = |estimated: u64, actual: u64| Past {
        estimated: Some(Usd::from_micros(estimated)),
        actual: Usd::from_micros(actual),
        estimated_ms: Some(50),
        ..run(Complexity::Medium, 1.0, 0)
    };
    let estimate = estimate(QUESTIONS[1], STANDARD, &[told(110, 100), told(80, 100), told(100, 100), told(5, 0)]);
    assert_eq!((estimate.cost_error_percent, estimate.duration_error_percent), (Some(10), None));
    assert!(recommendation(&estimate).contains("off by 10 %"));
}

/// HR-06: what is left gets less, is only told when something is known, and ends when the estimate is passed.
#[test]
fn hr_06_time_left_is_told_while_it_is_known() {
    let estimate = estimate(QUESTIONS[1], STANDARD, &[run(Complexity::Medium, 2.0, 12); 5]);
    let Range { likely, max, .. } = estimate.duration_ms;
    assert_eq!(eta_ms(&estimate, 0), Some(likely));
    assert_eq!(eta_ms(&estimate, max), Some(0));
    assert_eq!(eta_ms(&estimate, max + 1), None);
    let left: Vec<u64> = (0..=max).step_by(10_000).filter_map(|elapsed| eta_ms(&estimate, elapsed)).collect();
    assert!(left.len() > 60 && left.is_sorted_by(|a, b| a >= b), "{left:?}");
}

/// A call that waits longer than runs take gets the report itself.
#[test]
fn quick_runs_are_not_called_background_runs() {
    let past: Vec<Past> = vec![Past { duration_ms: 900, ..run(Complexity::Simple, 1.0, 0) }; 20];
    assert!(!estimate(QUESTIONS[0], STANDARD, &past).will_likely_go_async(30_000));
}

fn any_past() -> impl Strategy<Value = Past> {
    let amount = || prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>(), 1..10_000_000_u64];
    let told = || prop::option::of(amount());
    (0..3_usize, amount(), amount(), told(), told()).prop_map(|(of, actual, duration_ms, estimated, estimated_ms)| {
        Past {
            complexity: Complexity::ALL[of],
            actual: Usd::from_micros(actual),
            duration_ms,
            estimated: estimated.map(Usd::from_micros),
            estimated_ms,
        }
    })
}

proptest! {
    #[test]
    fn ranges_are_in_order_whatever_was_seen(
        query in "(?s).{0,40}", past in prop::collection::vec(any_past(), 0..40), elapsed in any::<u64>(),
    ) {
        let estimate = estimate(&query, STANDARD, &past);
        let Range { min, likely, max } = estimate.cost;
        prop_assert!(min <= likely && likely <= max, "{estimate:?}");
        let Range { min, likely, max } = estimate.duration_ms;
        prop_assert!(min <= likely && likely <= max, "{estimate:?}");
        prop_assert!(estimate.runs_alike <= estimate.runs);
        prop_assert!(eta_ms(&estimate, elapsed).is_none_or(|left| left <= max));
        prop_assert!(!recommendation(&estimate).is_empty());
    }

    /// The seed's SC-004: after twenty runs of one cost and duration the estimate is within a tenth of both.
    #[test]
    fn hr_10_twenty_runs_are_enough(which in 0..3_usize, cents in 5..5_000_u32, seconds in 30..20_000_u64) {
        let dollars = f64::from(cents) / 100.0;
        let past = vec![Past { duration_ms: seconds * 1_000, ..run(Complexity::ALL[which], dollars, 0) }; 20];
        let estimate = estimate(QUESTIONS[which], STANDARD, &past);
        let likely = estimate.cost.likely.dollars();
        prop_assert!((likely / dollars - 1.0).abs() < 0.1, "{likely} for {dollars}");
        let likely = estimate.duration_ms.likely;
        prop_assert!(likely.abs_diff(seconds * 1_000) < seconds * 100, "{likely} ms for {seconds} s");
    }

    /// Runs of another complexity move the estimate to their side, and never beyond their ratio.
    #[test]
    fn hr_10_other_runs_count_too(which in 0..3_usize, count in 1..40_usize, percent in 20..800_u64) {
        let other = Complexity::ALL[(which + 1) % 3];
        let published = published_cost(STANDARD, other).likely;
        let actual = Usd::from_micros(published * percent / 100);
        let before = estimate(QUESTIONS[which], STANDARD, &[]).cost.likely.micros();
        let past = vec![Past { actual, ..run(other, 1.0, 6) }; count];
        let after = estimate(QUESTIONS[which], STANDARD, &past).cost.likely.micros();
        let whole = before * percent / 100;
        let (low, high) = (before.min(whole), before.max(whole));
        prop_assert!((low.saturating_sub(2)..=high + 2).contains(&after), "{after} not in {low}..={high}");
        prop_assert!(percent.abs_diff(100) < 2 || after != before);
    }
}

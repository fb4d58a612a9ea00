//! The words of the field: parts of a machine, what is measured of them, and how each language says so.

/// What the field is about.
pub const MACHINE: &str = "Karsk turbine";

/// The language of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
    Chinese,
}

impl Language {
    pub(super) const ALL: [Self; 3] = [Self::English, Self::German, Self::Chinese];

    pub(super) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Chinese => "zh",
        }
    }

    fn of(self, words: [&'static str; 3]) -> &'static str {
        match self {
            Self::English => words[0],
            Self::German => words[1],
            Self::Chinese => words[2],
        }
    }
}

/// The parts of the machine, in English, German (with its article in the accusative) and Chinese.
const PARTS: [[&str; 3]; PART_COUNT] = [
    ["rotor", "den Rotor", "转子"],
    ["gearbox", "das Getriebe", "齿轮箱"],
    ["brake", "die Bremse", "制动器"],
    ["tower", "den Turm", "塔架"],
    ["foundation", "das Fundament", "基础"],
    ["transformer", "den Transformator", "变压器"],
    ["controller", "die Steuerung", "控制器"],
    ["anchor", "den Anker", "锚杆"],
];
pub(super) const PART_COUNT: usize = 8;

/// What is measured, and in what, in the three languages.
const MEASURES: [([&str; 3], [&str; 3]); MEASURE_COUNT] = [
    (["mass", "Masse", "质量"], ["kilograms", "Kilogramm", "千克"]),
    (["length", "Länge", "长度"], ["millimetres", "Millimeter", "毫米"]),
    (["service life", "Lebensdauer", "使用寿命"], ["hours", "Stunden", "小时"]),
    (["price", "Preis", "价格"], ["euros", "Euro", "欧元"]),
    (["test load", "Prüflast", "试验载荷"], ["newtons", "Newton", "牛顿"]),
    (["oil volume", "Ölmenge", "油量"], ["litres", "Liter", "升"]),
    (["heat loss", "Wärmeverlust", "热损失"], ["watts", "Watt", "瓦"]),
    (["inspection interval", "Prüfabstand", "检查间隔"], ["days", "Tage", "天"]),
    (["rated speed", "Nenndrehzahl", "额定转速"], ["revolutions", "Umdrehungen", "转"]),
    (["burst pressure", "Berstdruck", "爆破压力"], ["bar", "Bar", "巴"]),
];
pub(super) const MEASURE_COUNT: usize = 10;

/// A part in a language.
pub(super) fn part(at: usize, language: Language) -> &'static str {
    language.of(PARTS[at % PART_COUNT])
}

pub(super) fn measure(at: usize, language: Language) -> &'static str {
    language.of(MEASURES[at % MEASURE_COUNT].0)
}

pub(super) fn unit(at: usize, language: Language) -> &'static str {
    language.of(MEASURES[at % MEASURE_COUNT].1)
}

/// The machine in a language.
pub(super) fn machine(language: Language) -> &'static str {
    language.of([MACHINE, "Karsk-Turbine", "卡斯克涡轮机"])
}

/// A measured fact as a sentence; `way` says in which of two ways of putting it.
pub(super) fn sentence(language: Language, way: usize, (at, of): (usize, usize), figure: u32) -> String {
    let (part, measure, unit, machine) =
        (part(at, language), measure(of, language), unit(of, language), machine(language));
    match (language, way % 2) {
        (Language::English, 0) => format!("The {measure} of the {part} of the {machine} is {figure} {unit}."),
        (Language::English, _) => {
            format!("Measured at the works, the {part} of the {machine} has a {measure} of {figure} {unit}.")
        }
        (Language::German, 0) => {
            format!("Für {part} der {machine} wird unter dem Stichwort {measure} ein Wert von {figure} {unit} genannt.")
        }
        (Language::German, _) => {
            format!("Im Werk gemessen wurde für {part} der {machine} der Wert {figure} {unit} ({measure}).")
        }
        (Language::Chinese, 0) => format!("{machine}的{part}的{measure}为{figure}{unit}。"),
        (Language::Chinese, _) => format!("据工厂测量，{machine}{part}的{measure}达到{figure}{unit}。"),
    }
}

/// A sentence on the year of a part, on which sources disagree.
pub(super) fn year(at: usize, year: u32) -> String {
    format!("The first {} of the {MACHINE} entered service in {year}.", part(at, Language::English))
}

/// Sentences that say nothing which could be noted.
pub(super) fn filler(language: Language, at: usize, of: usize) -> String {
    let (part, machine) = (part(at, language), machine(language));
    // No paragraph stands there twice: readers take a copy once.
    let story = char::from(b'A' + u8::try_from(of % 26).unwrap_or_default());
    let told = match language {
        Language::English => format!("Story {story} goes like this. "),
        Language::German => format!("Geschichte {story} geht so. "),
        Language::Chinese => format!("故事{story}。"),
    };
    let story = match (language, of % 5) {
        (Language::English, 0) => {
            format!("People who look after the {part} of a {machine} speak of it with respect and some affection.")
        }
        (Language::English, 1) => "The workshop smelled of oil, and the radio played in a corner.".to_owned(),
        (Language::English, 2) => {
            format!("Drawings of the {part} hang in many offices, and few of them are quite up to date.")
        }
        (Language::English, 3) => "Visitors are asked to leave their umbrellas at the door.".to_owned(),
        (Language::English, _) => {
            format!("Nobody who has seen the {part} of the {machine} at dawn forgets the colour of the steel.")
        }
        (Language::German, 0) => format!("Wer {part} der {machine} pflegt, spricht mit Achtung von der Arbeit."),
        (Language::German, 1) => "In der Werkstatt roch es nach Öl, und in der Ecke lief ein Radio.".to_owned(),
        (Language::German, _) => "Besucher lassen ihre Schirme bitte an der Tür stehen.".to_owned(),
        (Language::Chinese, 0) => format!("照看{machine}{part}的人谈起它时总是满怀敬意。"),
        (Language::Chinese, 1) => "车间里有一股机油味，角落里放着收音机。".to_owned(),
        (Language::Chinese, _) => "请来访者把雨伞留在门口。".to_owned(),
    };
    if of < 5 { story } else { format!("{told}{story}") }
}

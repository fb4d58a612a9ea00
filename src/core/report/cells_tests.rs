use super::super::equals::tests::quoted;

/// EM-01: where each cell has a line, the value of a row is quoted with its name, and no quote ends with the name of the next row.
#[test]
fn em_01_the_cells_of_a_row_are_not_torn() {
    let fuels = ".. list-table::\n   :header-rows: 1\n\n   * - Fuel\n     - Calorific value\n   * - Peat\n     - 15 MJ/kg\n   * - Anthracite\n     \
                 - 33 MJ/kg\n   * - Charcoal\n     - 29 MJ/kg\n\nBogs give peat.\n";
    let glazes = "[cols=3]\n|===\n|Glaze |Cone |Colour\n\n|Celadon\n|10\n|green\n\n|Tenmoku\n|9\n|black\n\n|Raku\n|06\n|crackle\n|===\n";
    let dense =
        "|===\n|Glaze |Cone |Colour\n\n|Celadon\n|10\n|green\n|Tenmoku\n|9\n|black\n|Raku\n|06\n|crackle\n|===\n";
    let headless = "|===\n|Celadon\n|10\n\n|Tenmoku\n|9\n\n|Raku\n|06\n|===\n";
    for (question, text, most_words, starts, ends) in [
        ("calorific value of anthracite", fuels, 60, "* - Fuel", "- 33 MJ/kg"),
        ("calorific value of anthracite", fuels, 12, "* - Anthracite", "- 33 MJ/kg"),
        ("anthracite", fuels, 60, "* - Anthracite", "- 33 MJ/kg"),
        ("cone of Tenmoku", glazes, 60, "|Glaze", "|9\n|black"),
        ("Tenmoku", glazes, 60, "|Tenmoku", "|9\n|black"),
        ("cone of Tenmoku", dense, 60, "|Glaze", "|9\n|black"),
        ("Tenmoku", dense, 60, "|Tenmoku", "|9\n|black"),
        ("Tenmoku", headless, 60, "|Tenmoku", "|9"),
    ] {
        let found = quoted(question, text, most_words);
        assert!(found.starts_with(starts) && found.ends_with(ends), "{question}: {found}\n---\n{text}");
    }
    let lines = "|===\n|Glaze |Cone\n\n|Celadon |10\n|Tenmoku |9\n|===\n";
    assert_eq!(quoted("Tenmoku", lines, 60), "|Tenmoku |9");
}

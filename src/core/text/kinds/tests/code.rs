//! Source code: where it is cut, and below which names.

use expect_test::expect;

use super::shown;
use crate::core::text::{Format, extract};

#[test]
fn code_is_cut_at_definitions() {
    let rust = "//! About tides.\n\nuse std::fmt;\n\n/// The sea.\n#[derive(Debug)]\npub struct Sea {\n    depth: u32,\n}\n\nimpl Sea {\n    /// How deep.\n    pub fn depth(&self) -> u32 {\n        if self.depth > 0 {\n            return 1;\n        }\n        self.depth\n    }\n}\n";
    expect![[r#"
            title: -
            [lines 1–3]
                //! About tides.
    
                use std::fmt;
            [lines 5–9] pub struct Sea
                /// The sea.
                #[derive(Debug)]
                pub struct Sea {
                    depth: u32,
                }
            [line 11] impl Sea
                impl Sea {
            [lines 12–19] impl Sea > pub fn depth(&self) -> u32
                    /// How deep.
                    pub fn depth(&self) -> u32 {
                        if self.depth > 0 {
                            return 1;
                        }
                        self.depth
                    }
                }
        "#]]
    .assert_eq(&shown(&extract(Format::Code, rust.as_bytes().to_vec()).unwrap()));
    let definitions = |text: &str| {
        let document = extract(Format::Code, text.as_bytes().to_vec()).unwrap();
        document.passages.iter().filter_map(|piece| piece.headings.last().cloned()).collect::<Vec<_>>()
    };
    let cases: [(&str, &[&str]); 8] = [
        (
            "import x\n\ndef tide(sea):\n    \"\"\"Doc.\"\"\"\n    return sea\n\nclass Sea:\n    def depth(self):\n        pass\n",
            &["def tide(sea)", "class Sea", "def depth(self)"],
        ),
        ("#include <x>\n\nint tide(int sea)\n{\n  if (sea) {\n    go();\n  }\n}\n", &["int tide(int sea)"]),
        (
            "export const tide = (sea) => {\n  return sea;\n}\nfunction ebb() {\n}\n",
            &["export const tide = (sea) =>", "function ebb()"],
        ),
        (
            "public class Sea {\n    private static int depth(int x) {\n        for (;;) {\n        }\n    }\n}\n",
            &["public class Sea", "private static int depth(int x)"],
        ),
        ("package sea\n\nfunc (s *Sea) Depth() int {\n}\n", &["func (s *Sea) Depth() int"]),
        ("tide() {\n  echo x\n}\nif [ x ]; then\n  y\nfi\n", &["tide()"]),
        ("CREATE TABLE tides (\n  id int\n);\n", &["CREATE TABLE tides ("]),
        ("x = call(1, {\n  a: 1\n})\nreturn foo(2)\n", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(definitions(text), expected, "{text}");
    }
}

/// LB-01: what is set behind a function is no part of it, and has its comment.
#[test]
fn lb_01_settings_beside_definitions_are_their_own() {
    let code = "class Buffer:\n    def append(self, s):\n        limit = 3\n        return s\n\n    size = 4\n\n# Bytes in a string.\nLIMIT = 8192\n\n\
                def f():\n    return LIMIT\n";
    let document = extract(Format::Code, code.as_bytes().to_vec()).unwrap();
    let above = |what: &str| {
        let piece = document.passages.iter().find(|piece| document.passage_text(piece).contains(what)).unwrap();
        (piece.headings.join(" › "), document.passage_text(piece).trim().to_owned())
    };
    assert_eq!(above("limit = 3").0, "class Buffer › def append(self, s)");
    assert_eq!(above("size = 4").0, "class Buffer");
    assert_eq!(above("LIMIT = 8192"), (String::new(), "# Bytes in a string.\nLIMIT = 8192".to_owned()));
    assert_eq!(above("return LIMIT").0, "def f()");
}

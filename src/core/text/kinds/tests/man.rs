//! Pages of the manual, written by hand: what a terminal shows of them is their text.

use expect_test::{Expect, expect};

use super::shown;
use crate::core::text::{Format, extract, format};

fn read(text: &str) -> String {
    shown(&extract(Format::Man, text.as_bytes().to_vec()).unwrap())
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&read(text));
}

/// What a page says of these lines, without its heading.
fn body(lines: &str) -> String {
    let document = extract(Format::Man, format!(".TH X 1\n.SH A\n{lines}\n").into_bytes()).unwrap();
    document.text.strip_prefix("## A\n\n").unwrap_or_default().to_owned()
}

/// A page of the package `man`.
const MAN_PAGE: &str = r#"'\" t
.\" A comment.
.TH TIDE-GAUGE 8 2026-03-01 "Tide 1.2" "Harbour manual"
.SH NAME
tide\-gauge \- read the gauges of a harbour
.SH SYNOPSIS
.B tide\-gauge
.RI [ options ]
.IR port ...
.SH OPTIONS
.TP
.BR \-a ", " \-\^\-all
Read all gauges,
also \fIbroken\fP ones.
.PD 0
.TP
.B \-q
.TP
.B \-\-quiet
Say nothing.
.PD
.sp
Not even errors.
.IP "\-n \fIcount\fR" 4
Read
.I count
times.
.SS Bullets
.IP \(bu 2
one
.RS
.IP \(bu 2
inner
.RE
.IP 2. 4
two
.SH EXAMPLES
Run it so:
.PP
.EX
$ tide\-gauge \-a \e
    dunmore

$ echo done
.EE
"#;

/// LB-01: sections, entries with their terms, lists and examples of a page are read, each at its lines.
#[test]
fn lb_01_a_manual_page_keeps_sections_entries_and_examples() {
    check(
        MAN_PAGE,
        &expect![[r#"
            title: tide-gauge(8)
            [line 5] NAME
                tide-gauge - read the gauges of a harbour
            [lines 7–9] SYNOPSIS
                tide-gauge [options] port...
            [lines 12–27] OPTIONS
                -a, --all
                Read all gauges, also broken ones.

                -q
                --quiet
                Say nothing.

                Not even errors.

                -n count
                Read count times.
            [lines 29–36] OPTIONS > Bullets
                - one
                  - inner
                2. two
            [lines 38–44] EXAMPLES
                Run it so:

                ```
                $ tide-gauge -a \
                    dunmore

                $ echo done
                ```
        "#]],
    );
}

/// A page of the package `mdoc`.
const MDOC_PAGE: &str = r#".Dd March 1, 2026
.Dt GAUGE 1
.Os
.Sh NAME
.Nm gauge ,
.Nm tide
.Nd read a gauge
.Sh SYNOPSIS
.Nm
.Op Fl aq
.Op Fl n Ar count | Cm all
.Ar
.Nm tide
.Fl -version
.In tide.h
.Ft int
.Fn gauge_open "const char *port" "int flags"
.Sh DESCRIPTION
The
.Nm
utility reads
.Pa /dev/gauge Ns Ar N
.Pq see Xr tide 4 , Xr ls 1 .
It is called
.Dq old ,
.Sq a Ns b
and runs on
.Bx 4.4
and
.Fx 14.0 .
.Bl -tag -width Ds
.It Fl n Ar count , Fl Fl count Ns = Ns Ar count
Read
.Ar count
times.
.It Fl f Xo
.Sm off
.Oo Ar user @ Oc
.Ar host
.Sm on
.Xc
From a host.
.Bl -bullet
.It
one
.It
two
.El
.El
.Bd -literal
$ gauge -a
  | sort
.Ed
.Dl gauge -q
.Bl -column a b
.It Port Ta Range
.It Dunmore Ta 4.9
.El
.Bl -enum
.It
first
.It
second
.El
.Sh STANDARDS
.St -p1003.1-2008
.Rs
.%A I. Varga
.%A B. Holm
.%T On tides
.%D 1953
.Re
.Ex -std
"#;

/// LB-01: a page of the package `mdoc` says flags, references and functions as a terminal shows them.
#[test]
fn lb_01_an_mdoc_page_is_read_as_it_is_shown() {
    check(
        MDOC_PAGE,
        &expect![[r#"
            title: gauge(1)
            [lines 5–7] NAME
                gauge, tide - read a gauge
            [lines 9–17] SYNOPSIS
                gauge [-aq] [-n count | all] file ...
                tide --version
                #include <tide.h>
                int
                gauge_open(const char *port, int flags);
            [lines 19–63] DESCRIPTION
                The gauge utility reads /dev/gaugeN (see tide(4), ls(1)). It is called “old”, ‘ab’ and runs on 4.4BSD and FreeBSD 14.0.

                -n count, --count=count
                Read count times.

                -f [user@]host
                From a host.

                - one
                - two

                ```
                $ gauge -a
                  | sort
                ```

                ```
                gauge -q
                ```

                | Port | Range |
                | --- | --- |
                | Dunmore | 4.9 |

                1. first
                2. second
            [lines 66–73] STANDARDS
                IEEE Std 1003.1-2008 (“POSIX.1”) I. Varga and B. Holm, On tides, 1953. The gauge utility exits 0 on success, and >0 if an error occurs.
        "#]],
    );
}

#[test]
fn tables_are_tables() {
    check(
        ".TH X 5\n.SH PORTS\n.TS\nallbox tab(@);\nlb lb\nl l.\nPort@Range\n_\nDunmore@T{\nabout\n.B 4.9\nmetres\nT}\nCarrick@3.1 \\(+- 0.2\n.TE\n.TS\nl l.\na\tb|c\nd\te\n.TE\n.TS\nl.\nalone\nhere\n.TE\n",
        &expect![[r#"
            title: x(5)
            [lines 7–24] PORTS
                | Port | Range |
                | --- | --- |
                | Dunmore | about 4.9 metres |
                | Carrick | 3.1 ± 0.2 |

                | a | b\|c |
                | --- | --- |
                | d | e |

                ```
                alone
                here
                ```
        "#]],
    );
}

#[test]
fn escapes_are_what_they_show() {
    for (line, text) in [
        (r"\fBa\fP \f(CWb\fR \f[CB]c\f[] \s+1d\s0 \s-2e\s+2", "a b c d e"),
        (r"\-\(mi\(hy \(aq\(dq \(em\(en \(bu\(co\(rg", "--- '\" —– •©®"),
        (r"x \(lqa\(rq \(oqb\(cq \*(lqc\*(rq \[lq]d\[rq]", "x “a” ‘b’ “c” “d”"),
        (r"\(ti\(ha\(ga\(rs \(<=\(>=\(-> \(mu\(+-\(de", "~^`\\ ≤≥→ ×±°"),
        (r"\[u00E9]\(:o\('e\[ss] \(*a\(12", "éöéß α½"),
        (r"a\eb\\c \&.d\/e\,f\|g\^h\~i\0j\ k\:l\%m", "a\\b\\c .defgh i j klm"),
        (r"a\h'2n'b\v'1'c \m[red]d\m[] \z_e", "a bc d _e"),
        (r#"seen \" not seen"#, "seen"),
        ("a\\c\nb", "ab"),
        ("one \\\nline", "one line"),
        (".B a \"b c\" d", "a b c d"),
        (".BR ls (1), \"\" \" x\"", "ls(1), x"),
        (".RB [ \\-\\-all ]", "[--all]"),
        (".UR https://x.org/\nThe page\n.UE .", "The page <https://x.org/>."),
        (".MT a@x.org\n.ME", "<a@x.org>"),
        (".SY gauge\n.OP \\-n count\n.YS", "gauge [-n count]"),
        ("a\n.br\nb\n.sp\nc\n.hy 0\n.ne 3\nd\n.ad l\n.xx unknown", "a\nb\n\nc d"),
        (".ds S str\\-ing\nthe \\*S, \\*[S], \\*(xx.", "the str-ing, str-ing, ."),
        (".nr N 3\n.ie \\nN>2 many\n.el few", "many"),
        (".if t hidden\n.if n shown\n.if !t too", "shown too"),
        (".ie t \\{\\\nhidden\n.if n \\{ also \\}\n.\\}\n.el \\{\\\nshown\n.br\nhere\n.\\}", "shown\nhere"),
        (".if '\\*(xx'' equal\n.if c\\(xx hidden\n.if d nothing hidden", "equal"),
        (".de XX\n.B \"\\\\$1\" is\n\\\\$2\n..\n.XX one two\n.ig\nhidden\n..", "one is two"),
        (".ie 'a'b'\n.IP \"a, default\"\n.el\n.IP a\nis taken", "a\nis taken"),
        (".ds Q say \"x\"\n.B \\*Q .", "say \"x\" ."),
        (".EQ\nx sup 2\n.EN\nafter", "after"),
        (".PP\n\\fBgit\\fR\n.RS 4\nA tool.\n.RE", "git\nA tool."),
        (".RS 4\n.ie n \\{\\\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}\nitem\n.RE", "- item"),
    ] {
        assert_eq!(body(line), text, "{line}");
    }
}

/// LB-01: what ends in a number is a page where it is one, and text where it is text.
#[test]
fn lb_01_bytes_tell_a_page_from_a_text() {
    let kind = |name: &str, text: &str| format::opened(name, text.as_bytes().to_vec()).map(|(format, _)| format);
    for (text, expected) in [
        (".TH X 1\n", Format::Man),
        (".\\\" c\n\n.\n'\\\" t\n.if n .ad l\n.TH X 1\n", Format::Man),
        (".Dd x\n", Format::Man),
        (".so man1/ls.1\n", Format::Man),
        (".nh\n.SH NAME\nx\n", Format::Man),
        ("Notes of the harbour.\n.TH X 1\n", Format::Plain),
        (".hidden files are listed\n.and more\n", Format::Plain),
        ("", Format::Plain),
    ] {
        assert_eq!(kind("mdadm.8", text), Ok(expected), "{text}");
        assert_eq!(kind("x.man", text), Ok(expected), "{text}");
    }
    let late = format!(".nh\n{}.TH X 1\n", ".ds a b\n".repeat(500));
    assert_eq!(kind("x.3pm", &late), Ok(Format::Plain));
    assert_eq!(kind("x.md", ".TH X 1\n"), Ok(Format::Markdown));
}

/// Pages that are made to take a reader down.
#[test]
fn hostile_pages_are_read_in_bounds() {
    let many = 12_000;
    let cases = [
        ".TP\n".repeat(200_000),
        ".TP\na\n".repeat(many),
        ".RS\n".repeat(many) + &".IP \\(bu\nx\n".repeat(1_000),
        format!(".de X\n{}", "a\n".repeat(many)),
        "text \\f".to_owned(),
        "\\".repeat(1 << 18),
        "\\h".repeat(1 << 17),
        (0..100_000).filter_map(|at| char::from_u32(0x4e00 + at)).map(|c| format!("\\h{c}")).collect(),
        format!(".Dd x\n.{}", "Op ".repeat(25_000)),
        format!(".TS\nl l.\na\tT{{\n{}", "b\n.TP\n".repeat(many)),
        format!(".TS\nl l.\n{}", "a\tb\n".repeat(many)),
        format!(".nf\n{}x", "\n".repeat(1 << 18)),
        ".if n ".repeat(50_000),
        format!(".ie n \\{{{}", "\\{".repeat(many)),
        format!(".ds a x\\*b\\*b\n.ds b y\\*a\\*a\n{}", "\\*a ".repeat(1_000)),
        format!(".ds a {}\n{}", "x".repeat(1_000), "\\*a".repeat(25_000)),
        format!(".de X\n.X \\\\$* \\\\$*\na\n.X\n..\n.X {}", "a ".repeat(1_000)),
        format!(".de X\na\n..\n{}", ".am X\nb\n..\n".repeat(many)),
        format!(".if {}1 x", "(".repeat(many)),
        format!(".Dd x\n{}", ".Bl -column\n.It a Ta b\n".repeat(many)),
        format!(".B {}", "\"a\" ".repeat(many)),
    ];
    for case in cases {
        let begin: String = case.chars().take(40).collect();
        let document = extract(Format::Man, format!(".TH X 1\n{case}").into_bytes()).unwrap();
        assert!(document.text.len() <= 9 << 20, "{begin}: {}", document.text.len());
    }
}

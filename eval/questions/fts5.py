#!/usr/bin/env python3
"""A plain SQLite FTS5 baseline for the question set.

  fts5.py QUESTIONS.jsonl DOCS [--held-back | --every] [--all]

Passages of 200 words (40 shared with the one before), porter stems, OR of the
question's words without stop words, bm25, the best 8.  A question is asked in
its own package's folder; --all asks it in all folders at once.  The questions
held back are left out unless --held-back (only those) or --every is given.
"""
import collections, html.parser, json, pathlib, re, sqlite3, sys

STOP = set("a about all an and any are as at be been but by can do does for from had has have how i if in into is it "
           "its me must my no not of on one or out should so than that the their them then there they this to was "
           "what when where which while who why will with would you your".split())


class Strip(html.parser.HTMLParser):
    BLOCK = set("p div li tr td th dt dd h1 h2 h3 h4 h5 h6 pre br table ul ol dl section title blockquote".split())

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.out, self.skip = [], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("script", "style")
        self.out.append(" " if tag in self.BLOCK else "")

    def handle_endtag(self, tag):
        self.skip -= tag in ("script", "style") and self.skip > 0
        self.out.append(" " if tag in self.BLOCK else "")

    def handle_data(self, data):
        self.out.append("" if self.skip else data)


def text(path):
    """The visible text of a file, white space folded."""
    raw = pathlib.Path(path).read_text("utf-8", "replace")
    if str(path).endswith((".html", ".htm")):
        parser = Strip()
        parser.feed(raw)
        parser.close()
        raw = "".join(parser.out)
    return " ".join(raw.split())


def files(docs):
    for path in sorted(pathlib.Path(docs).rglob("*")):
        if path.is_file() and path.suffix in (".html", ".htm", ".txt", ".rst", ".md"):
            yield path


def kind(q):
    return next((k for k in ("unanswerable", "typo", "paraphrase") if q[k]), "plain")


def main():
    flags = {a for a in sys.argv[1:] if a.startswith("--")}
    questions, docs = [a for a in sys.argv[1:] if not a.startswith("--")]
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE p USING fts5(docs UNINDEXED, file UNINDEXED, body, tokenize='porter unicode61')")
    for path in files(docs):
        words, rel = text(path).split(), path.relative_to(docs)
        for i in range(0, max(1, len(words) - 40), 160):
            row = (rel.parts[0], str(rel), " ".join(words[i:i + 200]))
            db.execute("INSERT INTO p VALUES (?, ?, ?)", row)
    tally = collections.defaultdict(collections.Counter)
    for q in map(json.loads, open(questions, encoding="utf-8")):
        if "--every" not in flags and q["held_back"] != ("--held-back" in flags):
            continue
        words = [w for w in re.findall(r"\w+", q["question"].lower()) if w not in STOP]
        match = " OR ".join(f'"{w}"' for w in words)
        got = [b.lower() for d, b in db.execute(
            "SELECT docs, body FROM p WHERE p MATCH ? AND (? OR docs = ?) ORDER BY bm25(p) LIMIT 8",
            (match, "--all" in flags, q["docs"]))]
        want = [" ".join(e["phrase"].lower().split()) for e in q["expected"]]
        rank = next((i for i, b in enumerate(got) if any(w in b for w in want)), None)
        row = tally[kind(q)]
        row["questions"] += 1
        if q["unanswerable"]:
            row["refused"] += not got
        else:
            row["first"] += rank == 0
            row["in_top_8"] += rank is not None
    found = [tally[k] for k in ("plain", "paraphrase", "typo")]
    tally["answerable"] = sum(found, collections.Counter())
    for name, row in tally.items():
        keys = ("refused",) if name == "unanswerable" else ("first", "in_top_8")
        print(f"{name:12} {row['questions']:4} " + "  ".join(
            f"{k} {row[k]} ({100 * row[k] / max(1, row['questions']):.0f}%)" for k in keys))
    print(json.dumps(tally))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The question set, asked of hadal.

  ask.py HADAL QUESTIONS.jsonl DOCS [--held-back | --every] [--misses]

Each question is asked with the engine `extractive` in its own package's folder. A passage is right when the lines that
hadal cites for it hold one of the expected phrases (of books and packed files: what it quotes); it is in the report when
any source is. A question is refused when
nothing is quoted for it, and doubted when the report begins with "Not found as asked". `--misses` prints the questions that failed. The last line is one JSON object.
"""
import collections, json, os, pathlib, re, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fts5 import Strip, kind


def folded(text):
    marks = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "", "*": "", "\\": ""})
    return " ".join(text.translate(marks).lower().split())


def quotes_of(report):
    """What is quoted of each source: the first quote stands before its place, the others behind."""
    quotes, number = collections.defaultdict(str), 1
    for line in report.split("\n"):
        place = re.match(r"\*\*\[(\d+)\]\*\* ", line)
        number = int(place[1]) if place else number
        quotes[number] += line[2:] + "\n" if line.startswith("> ") else ""
    return quotes


def lines_of(source, quotes, files={}):
    """The visible text of the lines that a source names."""
    path = source["location"]
    if not path.endswith((".html", ".htm", ".txt", ".rst", ".md")):
        return folded(quotes.get(source["number"], ""))
    if path not in files:
        files[path] = pathlib.Path(path).read_text("utf-8", "replace").split("\n")
    first, _, last = (source.get("lines") or "1-999999").partition("-")
    text = "\n".join(files[path][int(first) - 1:int(last or first)])
    if path.endswith((".html", ".htm")):
        parser = Strip()
        parser.feed(text)
        parser.close()
        text = "".join(parser.out)
    return folded(text)


def main():
    flags = {a for a in sys.argv[1:] if a.startswith("--")}
    hadal, questions, docs = [a for a in sys.argv[1:] if not a.startswith("--")]
    home = tempfile.mkdtemp(prefix="hadal-")
    environment = {**os.environ, "HADAL_HOME": home, "HADAL_BACKGROUND": "no"}
    tally = collections.defaultdict(collections.Counter)
    for q in map(json.loads, open(questions, encoding="utf-8")):
        if "--every" not in flags and q.get("held_back", False) != ("--held-back" in flags):
            continue
        folder = str(pathlib.Path(docs, q["docs"]).resolve())
        command = [hadal, "--json", "deep-research", q["question"], "--engine", "extractive", "--full", "--library", folder]
        asked = subprocess.run(command, env=environment, capture_output=True, text=True)
        reply = json.loads(asked.stdout)
        quoted = (reply.get("ledger") or {}).get("quoted", 0)
        quotes = quotes_of(reply.get("result") or "")
        sources = [lines_of(source, quotes) for source in reply.get("sources", [])] if quoted else []
        want = [folded(place["phrase"]) for place in q["expected"]]
        rank = next((n for n, text in enumerate(sources) if any(phrase in text for phrase in want)), None)
        row = tally[kind(q)]
        row["questions"] += 1
        doubted = "Not found as asked" in (reply.get("note") or "")
        good = not sources or doubted if q["unanswerable"] else rank == 0
        row["doubted"] += doubted
        if q["unanswerable"]:
            row["refused"] += not sources
        else:
            row["right_but_doubted"] += doubted and rank == 0
            row["first"] += good
            row["in_report"] += rank is not None
            row["refused"] += not sources
        if "--misses" in flags and not good:
            print(q["id"], kind(q), "rank", rank, "of", len(sources), "|", q["question"], "|",
                  (reply.get("sources") or [{}])[0].get("location", "").removeprefix(folder), flush=True)
    found = [tally[k] for k in ("plain", "paraphrase", "typo") if k in tally]
    tally["answerable"] = sum(found, collections.Counter())
    for name, row in tally.items():
        keys = ("refused", "doubted") if name == "unanswerable" else ("first", "in_report", "refused", "doubted", "right_but_doubted")
        print(f"{name:12} {row['questions']:4} " + "  ".join(
            f"{k} {row[k]} ({100 * row[k] / max(1, row['questions']):.0f}%)" for k in keys))
    print(json.dumps(tally))


if __name__ == "__main__":
    main()

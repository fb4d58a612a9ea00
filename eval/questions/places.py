#!/usr/bin/env python3
"""Tells whether quotes stand where hadal says, and how narrow the places are that it names.

  places.py HADAL QUESTIONS.jsonl DOCS [COUNT]

Asks the first COUNT (60) questions of the set with the engine `extractive`, each in its own package's folder, and looks at every quote of a file of lines: of the
words of the quote, at most a quarter (the head of a table that is shown above a row) may be missing in the lines of the file that its caption names.
Quotes that are not there are printed; the last line is one JSON object. Fails if there is one.
"""
import json, os, pathlib, re, statistics, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from ask import lines_of, quotes_of

CAPTION = re.compile(r"\*\*\[(\d+)\]\*\* `([^`]+\.(?:html?|txt|md|rst))`, lines? (\d+)(?:–(\d+))?(?: and (\d+)(?:–(\d+))?)?")
MISSING = 0.25


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def main():
    hadal, questions, docs, *count = sys.argv[1:]
    environment = {**os.environ, "HADAL_HOME": tempfile.mkdtemp(prefix="hadal-"), "HADAL_BACKGROUND": "no"}
    ranges, wrong = [], 0
    with open(questions, encoding="utf-8") as file:
        asked = [json.loads(line) for line in file][:int(count[0]) if count else 60]
    for q in asked:
        folder = pathlib.Path(docs, q["docs"]).resolve()
        command = [hadal, "--json", "deep-research", q["question"], "--engine", "extractive", "--library", str(folder)]
        reply = subprocess.run(command, env=environment, capture_output=True, text=True)
        report = json.loads(reply.stdout).get("result") or ""
        quotes = quotes_of(report)
        for number, path, first, last, *notes in map(re.Match.groups, CAPTION.finditer(report)):
            quote, path = words(quotes[int(number)]), folder / path
            if not quote or not path.exists():
                continue
            first, last = int(first), int(last or first)
            named = [(first, last)] + ([(int(notes[0]), int(notes[1] or notes[0]))] if notes[0] else [])
            there = {word for a, b in named for word in words(lines_of({"location": str(path), "lines": f"{a}-{b}"}, {}))}
            missing = [word for word in quote if word not in there]
            ranges.append(sum(b - a + 1 for a, b in named))
            if len(missing) > MISSING * len(quote):
                wrong += 1
                print(q["id"], f"{path}:{first}-{last}", "does not have", " ".join(missing[:12]))
    print(json.dumps({"quotes": len(ranges), "elsewhere": wrong, "lines_mean": round(statistics.mean(ranges), 1), "lines_median": statistics.median(ranges)}))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

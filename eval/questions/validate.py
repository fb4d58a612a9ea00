#!/usr/bin/env python3
"""Checks the question set against the unpacked documentation.

  validate.py QUESTIONS.jsonl DOCS

Every expected phrase stands in its file's visible text; ids are unique; a
paraphrase shares no rare word with the 200 words round an expected phrase
(rare: in under 2% of the package's 200-word passages); an absent name stands
in no file, and the words of the other unanswerable questions all stand in the
package's files.  Prints the counts per kind; exits 1 when something is wrong.
"""
import collections, json, re, sys
from fts5 import STOP, files, kind, text

MORE = STOP | set("after again another away back become before below each else ever every everything far get give go goes "
                  "just keep kept know late less long many may more most much need now once only other own really same "
                  "see set some somebody something still take tell time too us use used want way whole whom without "
                  "every here let make right well".split())


def stem(word):
    for end in ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[:-len(end)]
    return word


def stems(s):
    return [stem(w) for w in re.findall(r"[a-z0-9_]+", s.lower())]


def content(question):
    return [w for w in re.findall(r"[a-z0-9_]+", question.lower()) if w not in MORE and len(w) > 1]


questions, docs = sys.argv[1:]
page, seen, number = collections.defaultdict(dict), collections.defaultdict(collections.Counter), collections.Counter()
for path in files(docs):
    rel = path.relative_to(docs)
    body = page[rel.parts[0]]["/".join(rel.parts[1:])] = text(path).lower()
    words = stems(body)
    for i in range(0, len(words), 200):
        seen[rel.parts[0]].update(set(words[i:i + 200]))
        number[rel.parts[0]] += 1
wrong, ids, counts, held = [], set(), collections.Counter(), collections.Counter()
packages = collections.Counter()
for q in map(json.loads, open(questions, encoding="utf-8")):
    d, near = q["docs"], set()
    counts[kind(q)] += 1
    held[kind(q)] += q["held_back"]
    packages[d] += 1
    if q["id"] in ids:
        wrong.append(f"{q['id']}: id given twice")
    ids.add(q["id"])
    if d not in page:
        wrong.append(f"{q['id']}: no folder {d}")
        continue
    if q["unanswerable"] != (not q["expected"]):
        wrong.append(f"{q['id']}: expected places and unanswerable do not agree")
    for e in q["expected"]:
        body, phrase = page[d].get(e["file"]), " ".join(e["phrase"].lower().split())
        if body is None or phrase not in body:
            wrong.append(f"{q['id']}: {e['file']}: not found: {e['phrase']}")
            continue
        if not 4 <= len(phrase.split()) <= 10:
            wrong.append(f"{q['id']}: phrase of {len(phrase.split())} words: {phrase}")
        at = body.index(phrase)
        near |= set(stems(body[:at])[-100:]) | set(stems(body[at:])[:110])
    if q["paraphrase"]:
        for w in content(q["question"]):
            if stem(w) in near and seen[d][stem(w)] < 0.02 * number[d]:
                wrong.append(f"{q['id']}: rare word of the passage in the question: {w}")
    if q["unanswerable"]:
        name = q.get("absent_name", "").lower()
        if name and any(re.search(rf"\b{name}\b", b) for pages in page.values() for b in pages.values()):
            wrong.append(f"{q['id']}: {name} is not absent")
        for w in content(q["question"]):
            if not name and not seen[d][stem(w)]:
                wrong.append(f"{q['id']}: word stands nowhere in {d}: {w}")
for line in wrong:
    print(line)
print("questions", sum(counts.values()), dict(counts), "held back", sum(held.values()), dict(held))
print("per package", dict(packages))
sys.exit(bool(wrong))

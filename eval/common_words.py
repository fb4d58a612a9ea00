#!/usr/bin/env python3
"""The words of English that stand on many pages, by their stems, so that they are no misspelling of another word.

  common_words.py src/core/language/common_words.txt FILE.jsonl...

Each line of a file is one page: its text is the longest string of the object. A word of four letters or more counts when its stem
stands in small letters on at least one page of two hundred. Stems are cut as the index cuts them (`pip install snowballstemmer`).
"""
import collections, json, re, sys, textwrap

import snowballstemmer

PAGES = 200

out, *files = sys.argv[1:]
stem = snowballstemmer.stemmer("english").stemWord
pages, counts = 0, collections.Counter()
for file in files:
    for line in open(file, encoding="utf-8"):
        strings = [value for value in json.loads(line).values() if isinstance(value, str)]
        pages += 1
        words = set(re.findall(r"(?<![\w@/.])[a-z]{4,}(?![\w@/])", max(strings, key=len, default="")))
        counts.update({stem(word) for word in words})
stems = sorted(stem for stem, count in counts.items() if count * PAGES >= pages)
with open(out, "w", encoding="utf-8") as table:
    table.write("\n".join(textwrap.wrap(" ".join(stems), 140)) + "\n")
print(f"{len(stems)} stems of {pages} pages")

#!/usr/bin/env python3
"""The words of English that stand on many pages, so that they are no misspelling of another word.

  common_words.py src/core/language/common_words.txt FILE.jsonl...

Each line of a file is one page: its text is the longest string of the object. A word of four letters or more counts when it stands
in small letters on at least one page of seventy.
"""
import collections, json, re, sys, textwrap

PAGES = 70

out, *files = sys.argv[1:]
pages, counts = 0, collections.Counter()
for file in files:
    for line in open(file, encoding="utf-8"):
        strings = [value for value in json.loads(line).values() if isinstance(value, str)]
        pages += 1
        counts.update(set(re.findall(r"(?<![\w@/.])[a-z]{4,}(?![\w@/])", max(strings, key=len, default=""))))
words = sorted(word for word, count in counts.items() if count * PAGES >= pages)
with open(out, "w", encoding="utf-8") as table:
    table.write("\n".join(textwrap.wrap(" ".join(words), 140)) + "\n")
print(f"{len(words)} words of {pages} pages")

"""Doxygen's input filter: prints a header of the project as Doxygen wants it. Headers stay plain this way.

- A comment `// ...` behind a member, an enumerator or a constant describes it.
- The first comment of a file describes the file, if no declaration follows it at once.
- What is indented in a comment, below an empty line, is a formula: it keeps its lines.

Lines keep their numbers, so that warnings name the header's own.
"""

import re
import sys

SCOPE = re.compile(r"\b(namespace|struct|class|enum|union|extern)\b[^()]*$")
TRAILING = re.compile(r"^(?P<code>.*?[^/\s]\s+)//(?P<text> .*)$")
CONTINUED = re.compile(r"^\s+// (?P<text>.*)$")


def code_of(line):
    """The line without its comment and without the text between quotes."""
    line = re.sub(r'"(\\.|[^"\\])*"' + r"|'(\\.|[^'\\])'", '""', line)
    return re.sub(r"//.*|/\*.*?\*/", "", line)


def filtered(lines):
    scopes, statement = [], ""  # true in a scope of declarations, false in the body of a function
    after_member = False
    for line in lines:
        declares = all(scopes)
        trailing, continued = TRAILING.match(line), CONTINUED.match(line)
        if declares and after_member and continued:
            yield f"///< {continued['text']}"
            continue
        code = code_of(line)
        after_member = bool(
            declares and trailing and trailing["code"].count('"') % 2 == 0 and re.search(r"[;,\w})]\s*$", code)
        )
        yield f"{trailing['code']}///<{trailing['text']}" if after_member else line
        for character in code:
            if character == "{":
                scopes.append(bool(SCOPE.search(statement)))
                statement = ""
            elif character == "}":
                scopes and scopes.pop()
                statement = ""
            elif character == ";":
                statement = ""
            else:
                statement += character
        statement += " "


def with_file_comment(lines):
    """Makes the paragraph behind `#pragma once` the file's, unless a declaration follows it at once."""
    first = next((i for i, line in enumerate(lines) if line.startswith("///")), None)
    if not first or first > 3:
        return lines
    last = first
    while last < len(lines) and lines[last].startswith("///"):
        last += 1
    if last < len(lines) and (lines[last] == "" or lines[last].startswith("// clang-format")):
        lines[first - 1] = "/// @file"  # the line between `#pragma once` and the comment
    return lines


def with_formulas(lines):
    """Markdown takes a paragraph for text unless its lines are indented by four columns."""
    after_empty = False
    for line in lines:
        comment = re.match(r"^(\s*///)(.*)$", line)
        is_formula = bool(comment and after_empty and re.match(r" {3,}\S", comment[2]))
        yield f"{comment[1]}    {comment[2]}" if is_formula else line
        after_empty = bool(comment and (is_formula or not comment[2].strip()))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    print("\n".join(with_formulas(filtered(with_file_comment(lines)))))


main()

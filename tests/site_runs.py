"""The site that tests read, and its pages."""

import html.parser
import pathlib
import urllib.parse

import report_runs
from report_runs import spca

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}

# One page of each kind.
KINDS = [
    "index.html",
    "experiments/quickstart.html",
    "solvers/tpower.html",
    "solvers/misbehave-crash.html",
    "datasets/pitprops.html",
    "datasets/spiked.html",
    "proved.html",
    "changes.html",
]


class SitePage(html.parser.HTMLParser):
    """Tags, ids and texts of a page; raises if a tag is not closed in its turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.words = [], [], {}
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
            self.words.setdefault(tag, []).append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            raise AssertionError(f"</{tag}> closes {self.open[-3:]}, line {self.getpos()[0]}")
        self.open.pop()

    def handle_data(self, data):
        for tag in self.open:
            self.words[tag][-1] += data

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    def links(self):
        return [attributes["href"] for tag, attributes in self.tags if tag == "a" and "href" in attributes]


def make_runs(folder):
    """An experiment with figures and draws, one whose texts are all markup, and one with failures."""
    return [report_runs.quickstart(folder), report_runs.odd_run(folder), report_runs.failing_run(folder)]


def write_site(folder, *words, **environment):
    return spca("site", *words, "-o", folder, **environment)


def pages(folder):
    """{relative path: text} of every page."""
    folder = pathlib.Path(folder)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html"))}


def target_of(page, href):
    """(page, fragment) to which a link on a page leads."""
    place, _, fragment = href.partition("#")
    parts = pathlib.PurePosixPath(page).parent.parts
    path = list(parts) if place else list(pathlib.PurePosixPath(page).parts)
    for part in pathlib.PurePosixPath(urllib.parse.unquote(place)).parts:
        path = path[:-1] if part == ".." else [*path, part]
    return "/".join(path), urllib.parse.unquote(fragment.split("?")[0])

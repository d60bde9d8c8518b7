#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_html.py TEST_FORMAT: the page of -f html, as a strict parser (expat) and a parser of HTML read
# it: names are text, never markup; nothing is loaded; only our script may run; the data is there.
import base64
import hashlib
import html.parser
import json
import subprocess
import sys
import xml.etree.ElementTree as ET


def run(*words):
    return subprocess.run([sys.argv[1], *words], check=True, stdout=subprocess.PIPE).stdout


class Tags(html.parser.HTMLParser):
    """All tags with their attributes, and the text of those that we look at"""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.texts = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        for tag in self.open:
            self.texts[tag] = self.texts.get(tag, "") + data


KNOWN = {"html", "head", "meta", "link", "style", "title", "body", "h1", "h2", "p", "dl", "dt", "dd",
         "svg", "g", "rect", "path", "text", "div", "table", "thead", "tbody", "tfoot", "tr", "th", "td",
         "bdi", "ol", "li", "details", "summary", "pre", "script"}


def check(verb):
    page = run("html", verb).decode("utf-8")
    tree = ET.fromstring(page)
    tags = Tags()
    tags.feed(page)
    tags.close()
    names = [tag for tag, _ in tags.tags]
    assert [e.tag for e in tree.iter()] == names, "two parsers see two pages"
    assert set(names) <= KNOWN and names.count("script") == 1, set(names) - KNOWN
    for tag, attrs in tags.tags:
        for name, value in attrs.items():
            assert not name.startswith("on") and name not in ("src", "style", "action"), (tag, name)
            assert name != "href" or (tag == "link" and value == "data:,"), value
    assert "http:" not in page and "https:" not in page and "url(" not in page and "@import" not in page
    policy = next(a["content"] for t, a in tags.tags if "http-equiv" in a)
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(tags.texts[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy, f"{kind.upper()}_HASH has to be {digest}"
    assert "default-src 'none'" in policy

    cells = [["".join(td.itertext()) for td in tr] for tr in tree.find(".//tbody")]
    keys = [row[0] for row in cells]
    assert keys == ["</pre><script>", "a\"\\\\x0a}\\xff'&", "\\x1b[2J\\u{202e}"], keys
    assert tree.findtext(".//h1") == tree.findtext(".//title") == verb + " a'\"<f by comm,stack"
    stacks = [[li.text for li in tr.iter("li")] for tr in tree.find(".//tbody")]
    assert stacks == [["second", "third"], ["second"], ["0x12"]], stacks
    titles = [t.text for t in tree.iter("title")]
    assert verb == "lat" or "</pre><script>: 8 calls, 57.1 %" in titles  # of the time a billionth
    assert ("all: 14 calls, 100.0 %" if verb == "count" else "all: 200.0s, 100.0 %") in titles, titles
    assert tree.findtext(".//p[@class='balance lost']").startswith(
        ("hits" if verb == "count" else "calls") + " 20 = counted 14 + ")

    data = tree.findtext(".//pre[@id='data']")
    assert data == page[page.index('<pre id="data">') + 15:page.rindex("</pre>")], "data is no plain text"
    lines = [json.loads(line) for line in data.splitlines()]
    wanted = [json.loads(line) for line in run("json", verb).decode().splitlines()]
    for line in lines + wanted:
        line.pop("t")
        line.pop("time", None)
    assert lines == wanted, "the data is not that of -f json"


check("count")
check("lat")

// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_page.c - what is the same in each page: style, a script that orders rows, and the rule that
 * nothing else runs or is loaded.
 *
 * The rule names the two by their hashes, so a script that got into a name would not run.  The page
 * is read by strict parsers, too: no < and & in the two.
 */
#include "html.h"

#define STYLE \
":root{color-scheme:light dark;--back:#fff;--fore:#16181c;--quiet:#575c66;--line:#d4d7dc;\n"	\
"--bar:#2f6fb3;--mark:#b3261e;--head:#f1f3f5;--good:#1a6b35;--bad:#a3201a}\n"			\
"@media (prefers-color-scheme:dark){:root{--back:#16181c;--fore:#e6e8eb;--quiet:#a9b0ba;\n"	\
"--line:#3a3f47;--bar:#6ea8e0;--mark:#ff8a80;--head:#22262c;--good:#7fd096;--bad:#ff9a92}}\n"	\
"@media print{:root{--back:#fff;--fore:#000;--quiet:#333;--line:#999;--head:#eee}\n"		\
"thead{display:table-header-group}}\n"								\
"body{background:var(--back);color:var(--fore);font:15px/1.5 system-ui,sans-serif;\n"		\
"max-width:75rem;margin:1.5rem auto;padding:0 1rem}\n"						\
"h1,code,pre,td,svg{font-family:ui-monospace,monospace}\n"					\
"h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}\n"	\
"p,dl{color:var(--quiet);margin:.3rem 0}\n"							\
"dl{display:grid;grid-template-columns:max-content auto;gap:0 1rem}dd{margin:0}\n"		\
".balance{color:var(--good)}.lost,.error{color:var(--bad);font-weight:bold}\n"			\
".wide{overflow-x:auto}svg{display:block;width:100%;height:auto}\n"				\
"svg text{fill:var(--fore);font-size:12px}\n"							\
".flame,.plot{min-width:48rem}\n"								\
".bar{fill:var(--bar)}.axis{stroke:var(--quiet);fill:none}\n"					\
".line{stroke:var(--mark);fill:none}\n"								\
".flame text{fill:#16181c;pointer-events:none}.flame rect{stroke:none}\n"			\
".f0{fill:#f6c177}.f1{fill:#f2a97e}.f2{fill:#f5d98b}.f3{fill:#eda48b}.f4{fill:#e9c9a0}\n"	\
".f5{fill:#f3b58f}g:hover rect{opacity:.75}\n"							\
"table{border-collapse:collapse;width:100%;font-size:13px}\n"					\
"th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;\n"		\
"white-space:nowrap;vertical-align:top}\n"							\
"th{background:var(--head);font-weight:600}\n"							\
".key{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:8rem}\n"		\
".key ol{margin:0;padding:0;list-style:none}\n"							\
"tfoot td{font-weight:bold}.spark{width:120px;height:18px}.spark .line{stroke-width:.7}\n"	\
"th button{all:unset;cursor:pointer;text-decoration:underline dotted}\n"			\
"th button:focus-visible{outline:2px solid var(--bar)}\n"					\
"th[aria-sort=ascending] button::after{content:\" \\2191\"}\n"					\
"th[aria-sort=descending] button::after{content:\" \\2193\"}\n"					\
"pre{background:var(--head);padding:.6rem;overflow:auto;max-height:30rem;font-size:12px;\n"	\
"white-space:pre-wrap;overflow-wrap:anywhere}summary{cursor:pointer}\n"

#define SCRIPT \
"(function () {\n"										\
"\"use strict\";\n"										\
"var table = document.getElementById(\"rows\");\n"						\
"if (!table) { return; }\n"									\
"var body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);\n"			\
"function value(row, column) {\n"								\
"  var cell = row.cells[column], number = cell.getAttribute(\"data-v\");\n"			\
"  return number === null ? cell.textContent : Number(number);\n"				\
"}\n"												\
"heads.forEach(function (head, column) {\n"							\
"  var button = document.createElement(\"button\");\n"						\
"  if (!head.textContent) { return; }\n"							\
"  button.type = \"button\";\n"									\
"  button.textContent = head.textContent;\n"							\
"  head.textContent = \"\";\n"									\
"  head.appendChild(button);\n"									\
"  button.addEventListener(\"click\", function () {\n"						\
"    var up = head.getAttribute(\"aria-sort\") === \"descending\", way = up ? 1 : -1;\n"	\
"    var rows = Array.from(body.rows).sort(function (a, b) {\n"					\
"      var x = value(a, column), y = value(b, column);\n"					\
"      return way * (x > y ? 1 : y > x ? -1 : 0);\n"						\
"    });\n"											\
"    heads.forEach(function (other) { other.removeAttribute(\"aria-sort\"); });\n"		\
"    head.setAttribute(\"aria-sort\", up ? \"ascending\" : \"descending\");\n"			\
"    rows.forEach(function (row) { body.appendChild(row); });\n"				\
"  });\n"											\
"});\n"												\
"}());\n"

/* test_html.py says what they have to be. */
#define STYLE_HASH "RnLkfJth2IopSIBlYjrmkOjov6yIeiXAXVUji6sf/l4="
#define SCRIPT_HASH "q2hozfIB++ddIoesODLcHnCn/GINjIg2jcYYDVrBvSI="

void html_head(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "img-src data:; style-src 'sha256-" STYLE_HASH "'; script-src 'sha256-" SCRIPT_HASH
	      "'; base-uri 'none'; form-action 'none'\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<link rel=\"icon\" href=\"data:,\"/>\n<style>" STYLE "</style>\n<title>", out);
}

void html_foot(FILE *out)
{
	fputs("<script>" SCRIPT "</script>\n</body>\n</html>\n", out);
}

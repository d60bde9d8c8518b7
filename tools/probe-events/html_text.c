// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_text.c - bytes that others have chosen, in a page.
 */
#include "html.h"
#include "utf8.h"

/* What stands for a character in the page; "" if it stands for itself. */
static const char *entity_of(unsigned int c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return "";
}

/* The next character, or what is shown in its place; the bytes and the characters it takes. */
static size_t show(const char *text, char *shown, size_t size, size_t *width)
{
	unsigned int code = 0;
	size_t len = utf8_read(text, &code);

	*width = 1;
	if (!len || (len == 1 && utf8_hidden(code))) {
		*width = snprintf(shown, size, "\\x%02x", (unsigned char)*text);
		return 1;
	}
	if (utf8_hidden(code))
		*width = snprintf(shown, size, "\\u{%x}", code);
	else if (*entity_of(code))
		snprintf(shown, size, "%s", entity_of(code));
	else
		snprintf(shown, size, "%.*s", (int)len, text);
	return len;
}

void html_text(const char *text, FILE *out)
{
	html_part(text, -1UL, out);
}

void html_part(const char *text, size_t width, FILE *out)
{
	char shown[16];
	size_t is;

	while (*text) {
		text += show(text, shown, sizeof(shown), &is);
		if (is > width)
			break;
		width -= is;
		fputs(shown, out);
	}
}

/* These are in texts only, where JSON takes \uNNNN, too. */
void html_json(const char *text, FILE *out)
{
	unsigned int code;
	size_t len;

	for (; *text; text += len) {
		len = utf8_read(text, &code);
		if (!len) {	/* json.c writes none */
			fputc('?', out);
			len = 1;
		} else if (code > 0xffff && utf8_hidden(code)) {
			fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
				0xdc00 + (code & 0x3ff));
		} else if (*text != '\n' && (utf8_hidden(code) || *entity_of(code)) &&
			   code != '"' && code != '\'') {
			fprintf(out, "\\u%04x", code);
		} else {
			fwrite(text, 1, len, out);
		}
	}
}

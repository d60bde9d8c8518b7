// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_dat.c - the longest fields of a recording's records are not cut.  Nothing is opened.
 */
#include "dat.c"
#include "expect.h"

#ifdef PE_NO_TRACECMD

int main(void)
{
	return failed;
}

#else

int main(void)
{
	static char bytes[65535];
	struct json_object *o, *hex = NULL;
	size_t i;

	memset(bytes, 'x', sizeof(bytes));
	o = text_object(bytes, sizeof(bytes));
	EXPECT(json_object_get_string_len(o) == sizeof(bytes));
	json_object_put(o);
	for (i = 1; i <= sizeof(bytes); i *= 2) {
		o = hex_object(bytes, i);
		EXPECT(json_object_object_get_ex(o, "hex", &hex));
		EXPECT((size_t)json_object_get_string_len(hex) == 2 * i);
		EXPECT(!strncmp(json_object_get_string(hex), "7878", i > 1 ? 4 : 2));
		json_object_put(o);
	}
	o = text_object("a\0b", 4);
	EXPECT(!strcmp(json_object_get_string(o), "a"));
	json_object_put(o);
	return failed;
}

#endif

/** What the name of a header is made of (RFC 9110, 5.6.2). */
export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What no header's value may have: it could end its line. */
export const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Name of a header (RFC 9110, 5.6.2). */
export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Characters that no value of a header may have: they could end its line. */
export const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Value of `Content-Length`; longer numbers are not exact. */
export const CONTENT_LENGTH = /^\d{1,15}$/;

export const HEAD_END = Buffer.from("\r\n\r\n");

/** Line breaks could inject mail headers and log lines. Bidirectional controls would reverse the text behind a name. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

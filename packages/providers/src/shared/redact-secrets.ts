/** Longest stored message of an upstream, in characters. */
export const MAX_MESSAGE_LENGTH = 500;

const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]}]+/gi, "[address]"],
  [/\b(bearer|basic)\s+[\w~+/.=:-]{6,}/gi, "$1 [secret]"],
  [
    /\b(api[-_ ]?key|access[-_ ]?token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;&]{4,}/gi,
    "$1$2[secret]",
  ],
  [/\b(?:sk|pk|rk|ak|gsk|xai|key|org|proj|sess|ghp|hf)[-_][\w*.-]{6,}/gi, "[secret]"],
  [/\bAIza[\w-]{20,}/g, "[secret]"],
  [/\b(?:AKIA|ASIA|LTAI)[A-Z0-9]{12,}/gi, "[secret]"],
  [/\beyJ[\w-]{8,}(?:\.[\w-]+){1,2}/g, "[secret]"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "[secret]"],
  // Long and mixed like random text; names of models and fields have separators or one case.
  [/(?<![\w+/])(?=[\w+/]*\d)(?=[\w+/]*[A-Z])(?=[\w+/]*[a-z])[\w+/]{32,}={0,2}/g, "[secret]"],
  [/(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{24,}/g, "[secret]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, "[address]"],
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]{1,40}/gi, "[address]"],
  [
    /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|cn|dev|app|cloud|internal|local|lan|svc|xyz|co|me|us)\b(?::\d{1,5})?(?:\/[^\s"'<>)\]}]*)?/gi,
    "[address]",
  ],
  [/\blocalhost(?::\d{1,5})?/gi, "[address]"],
];

/**
 * Removes API keys, bearer tokens, long random strings, URLs, host names and IP addresses. Returns one line of at most `MAX_MESSAGE_LENGTH`
 * characters. Asterisks that mask a key are removed too.
 */
export function redactSecrets(text: string): string {
  // Truncating first bounds the patterns' work on any message.
  let redacted = text
    .slice(0, 4 * MAX_MESSAGE_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  for (const [pattern, replacement] of replacements) {
    redacted = redacted.replace(pattern, replacement);
  }
  return redacted.length > MAX_MESSAGE_LENGTH ? `${redacted.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : redacted;
}

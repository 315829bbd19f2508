const files: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/data:[\w.+-]+\/[\w.+-]+(?:;[\w.+=-]*)*,(?:[^\s"'<>()\\]|\\\/)*/gi, "data URL"],
  // Base64 without a data URL, with or without escaped slashes.
  [/(?<![\w+=/-])(?:[\w+=-]|\\?\/){200,}/g, "data"],
];

const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g, "[private key]"],
  [/\b(bearer|basic)\s+(?=[\w~+/.=-]{0,60}\d)[\w~+/.=-]{12,}/gi, "$1 [secret]"],
  [
    /("(?:[\w-]{0,40}(?:api[-_]?key|secret|passw(?:or)?d|passphrase|private[-_]?key|authorization|cookie|(?:access|refresh|id|auth|bot|session)[-_]?token))\\*"\s*:\s*\\*")(?!\[secret)[^"\\]+/gi,
    "$1[secret]",
  ],
  [
    /\b(api[-_ ]?key|secret|password|passphrase|authorization|(?:access|refresh|auth|session)[-_ ]?token)(\\*["']?\s*[:=]\s*\\*["']?)(?!\[)[^\s"'\\,;&]{4,}/gi,
    "$1$2[secret]",
  ],
  [
    /\b(?:sk|pk|rk|ak|gsk|xai|key|org|proj|sess|hf|gh[oprsu]|github_pat|glpat|npm|pypi|xox[abprs]|nvapi|pplx|r8)[-_](?=[\w*.-]{0,40}\d)[\w*.-]{8,}/gi,
    "[secret]",
  ],
  [/\bAIza[\w-]{20,}/g, "[secret]"],
  [/\b(?:AKIA|ASIA|LTAI)[A-Z0-9]{12,}/gi, "[secret]"],
  [/\beyJ[\w-]{8,200}\.[\w-]{2,}(?:\.[\w-]+)?/g, "[secret]"],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,100}:)[^\s/@"']{1,200}@/gi, "$1[secret]@"],
  // Long and mixed like random text.
  [/(?<![\w+/-])(?=[\w+/]{0,80}\d)(?=[\w+/]{0,80}[A-Z])(?=[\w+/]{0,80}[a-z])[\w+/]{32,}={0,2}/g, "[secret]"],
  [/(?<![0-9a-z])[0-9a-f]{32,}(?![0-9a-z])/gi, "[secret]"],
];

/** Replaces API keys, passwords, long random texts and embedded files. Runs in linear time for every input. */
export function redactBody(text: string): string {
  let redacted = text
    .replaceAll(/\\u00([2-7][0-9a-f])/gi, plainLetter)
    .replaceAll("\0", "\uFFFD")
    .toWellFormed();
  for (const [pattern, name] of files)
    redacted = redacted.replace(pattern, (data) => `[${name}, ${data.length} characters]`);
  for (const [pattern, replacement] of replacements) redacted = redacted.replace(pattern, replacement);
  return redacted;
}

function plainLetter(escaped: string, code: string): string {
  const letter = String.fromCharCode(Number.parseInt(code, 16));
  return /[\w+/:;,=.-]/.test(letter) ? letter : escaped;
}

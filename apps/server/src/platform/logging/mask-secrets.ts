export const MASKED = "(secret)";

/** A field whose last word is one of these contains a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "password", "passwords", "passphrase", "secret", "secrets", "token", "tokens", "key", "keys", "cipher", "hash", "hmac",
  "credential", "credentials", "authorization", "cookie", "adc", "ak", "sk", "code", "codes", "otp", "totp",
]); // prettier-ignore

const MARKERS: ReadonlySet<string> = new Set(["", "changed", "kept", "(changed)", MASKED]);

/**
 * Masks secrets at any depth: fields with secret names (also in JSON texts), passwords in URLs, client keys
 * and bearer tokens.
 * Numbers and booleans stay, as no secret is one.
 */
export function maskSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === "string") return isSecret ? maskWhole(value) : maskWithin(value);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskSecrets(member, isSecret || holdsSecret(name))]),
  );
}

function holdsSecret(name: string): boolean {
  const last = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).findLast((word) => word !== "");
  return last !== undefined && SECRET_WORDS.has(last.toLowerCase());
}

function maskWhole(text: string): string {
  return MARKERS.has(text) ? text : MASKED;
}

function maskWithin(text: string): string {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (json !== undefined) {
    const masked = JSON.stringify(maskSecrets(json));
    return masked === JSON.stringify(json) ? text : masked;
  }
  return text
    .replace(/(\w:\/\/[^\s/?#@:]*):[^\s/?#]+@/g, `$1:${MASKED}@`)
    .replace(/\b(sk-|oam_)[\w-]{16,}/g, `$1${MASKED}`)
    .replace(/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${MASKED}`)
    .replace(/([?&](?:[\w-]*[_-])?(?:key|token|secret|password|code)=)[^&\s#]+/gi, `$1${MASKED}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

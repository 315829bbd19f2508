import type { IncomingHttpHeaders } from "node:http";

/** Usual spelling, compared in a tenth of the expression's time. */
const USUAL_SCHEME = "Bearer ";

/** Every dialect accepts a key in each of these, since clients differ. */
const SOURCES = {
  authorization: ({ authorization = "" }: IncomingHttpHeaders) =>
    (authorization.slice(0, USUAL_SCHEME.length) === USUAL_SCHEME
      ? authorization.slice(USUAL_SCHEME.length)
      : authorization.replace(/^Bearer(?: +|$)/i, "")
    ).trim(),
  "x-api-key": (headers: IncomingHttpHeaders) => headerOf(headers, "x-api-key").trim(),
  "x-goog-api-key": (headers: IncomingHttpHeaders) => headerOf(headers, "x-goog-api-key").trim(),
  query: (_headers: IncomingHttpHeaders, query: string) =>
    query.includes("key=") ? (new URLSearchParams(query).get("key") ?? "").trim() : "",
};

const NAMES = ["authorization", "x-api-key", "x-goog-api-key", "query"] as const;
type CredentialSource = (typeof NAMES)[number];

/** Returns the presented key without a scheme; empty if none. The dialect's own header comes first. */
export function credentialReader(own: CredentialSource): (headers: IncomingHttpHeaders, query: string) => string {
  const order = [own, ...NAMES.filter((name) => name !== own)].map((name) => SOURCES[name]);
  return (headers, query) => {
    for (const read of order) {
      const key = read(headers, query);
      if (key !== "") return key;
    }
    return "";
  };
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

/** Without the question mark; empty if absent. */
export function queryOf(url: string | undefined): string {
  const start = url?.indexOf("?") ?? -1;
  return url === undefined || start === -1 ? "" : url.slice(start + 1);
}

/** Returns the segment unchanged if it is not valid. */
export function decodePathSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

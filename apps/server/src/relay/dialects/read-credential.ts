import type { IncomingHttpHeaders } from "node:http";

/** As nearly all clients write it: compared in a tenth of what the expression takes. */
const USUAL_SCHEME = "Bearer ";

/** Where a key may stand, whatever dialect is spoken: clients differ, and all places have the same rights. */
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

/** Returns what is presented as the key, without a scheme; empty without one. Where there are several, the dialect's own place counts. */
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

/** A header's value; empty without one. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

/** The query of an address, without its question mark; empty without one. */
export function queryOf(url: string | undefined): string {
  const start = url?.indexOf("?") ?? -1;
  return url === undefined || start === -1 ? "" : url.slice(start + 1);
}

/** A part of a path as its letters mean it; as it stands where they mean nothing. */
export function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

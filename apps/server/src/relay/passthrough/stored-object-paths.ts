/** What callers may do with something that a provider keeps. */
export interface StoredObjectRequest {
  readonly kind: "file" | "response";
  readonly objectId: string;
  /** After the version of the provider's API, without a query. */
  readonly path: string;
  /** It is gone afterwards. */
  readonly removes: boolean;
}

const ID = "[A-Za-z0-9_-]{1,256}";
const ASKS: readonly (readonly [kind: StoredObjectRequest["kind"], method: string, path: RegExp])[] = [
  ["response", "GET", new RegExp(`^/v1(/responses/(${ID})(?:/input_items)?)$`)],
  ["response", "DELETE", new RegExp(`^/v1(/responses/(${ID}))$`)],
  ["response", "POST", new RegExp(`^/v1(/responses/(${ID})/cancel)$`)],
  ["file", "GET", new RegExp(`^/v1(/files/(${ID})(?:/content)?)$`)],
  ["file", "DELETE", new RegExp(`^/v1(/files/(${ID}))$`)],
];

/** Reads what is asked of something that is kept; undefined for every other request. */
export function readStoredObjectRequest(method: string, path: string): StoredObjectRequest | undefined {
  for (const [kind, asked, pattern] of ASKS) {
    const [, kept, objectId] = asked === method ? (pattern.exec(path) ?? []) : [];
    if (kept !== undefined && objectId !== undefined && objectId !== "input_tokens") {
      return { kind, objectId, path: kept, removes: method === "DELETE" };
    }
  }
  return undefined;
}

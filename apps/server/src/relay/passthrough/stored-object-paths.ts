export interface StoredObjectRequest {
  readonly kind: "file" | "response";
  readonly objectId: string;
  readonly path: string;
  readonly removes: boolean;
}

const ID = "[A-Za-z0-9_-]{1,256}";
const CALLS: readonly (readonly [kind: StoredObjectRequest["kind"], method: string, path: RegExp])[] = [
  ["response", "GET", new RegExp(`^/v1(/responses/(${ID})(?:/input_items)?)$`)],
  ["response", "DELETE", new RegExp(`^/v1(/responses/(${ID}))$`)],
  ["response", "POST", new RegExp(`^/v1(/responses/(${ID})/cancel)$`)],
  ["file", "GET", new RegExp(`^/v1(/files/(${ID})(?:/content)?)$`)],
  ["file", "DELETE", new RegExp(`^/v1(/files/(${ID}))$`)],
];

export function readStoredObjectRequest(method: string, path: string): StoredObjectRequest | undefined {
  for (const [kind, expected, pattern] of CALLS) {
    const [, storedPath, objectId] = expected === method ? (pattern.exec(path) ?? []) : [];
    if (storedPath !== undefined && objectId !== undefined && objectId !== "input_tokens") {
      return { kind, objectId, path: storedPath, removes: method === "DELETE" };
    }
  }
  return undefined;
}

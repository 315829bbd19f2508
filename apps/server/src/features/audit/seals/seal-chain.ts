import { hash } from "node:crypto";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { Secrets } from "../../../core/secrets.ts";

export type SealedEntry = Selectable<Tables["audit"]>;
export type AuditSeal = Selectable<Tables["audit_seals"]>;

export function hashEntry(entry: SealedEntry): string {
  const { id, created_at, actor_id, actor_name, actor_role, via, address, request_id, kind, action, object, detail } =
    entry;
  const content = [
    id,
    created_at,
    actor_id,
    actor_name,
    actor_role,
    via,
    address,
    request_id,
    kind,
    action,
    object,
    detail,
  ];
  return hash("sha256", JSON.stringify(content), "base64url");
}

/** Format of `entry_hashes`: one `id:hash` a line. */
export function listEntryHashes(entries: readonly SealedEntry[]): string {
  return entries.map((entry) => `${entry.id}:${hashEntry(entry)}`).join("\n");
}

export function readEntryHashes({ entry_hashes: text }: AuditSeal): ReadonlyMap<number, string> {
  const lines = text === "" ? [] : text.split("\n");
  return new Map(
    lines.map((line): [number, string] => {
      const [id = "", entryHash = ""] = line.split(":");
      return [Number(id), entryHash];
    }),
  );
}

/** HMAC of the seal's content and the hash of the previous seal, which is empty for the first one. */
export function hashSeal(secrets: Secrets, seal: Omit<AuditSeal, "hash">, previous: string): string {
  const { number, kind, last_id, newest_at, sealed_at, entry_hashes } = seal;
  const content = [previous, number, kind, last_id, newest_at, sealed_at, entry_hashes];
  return secrets.sign("audit-seal", JSON.stringify(content));
}

import { hash } from "node:crypto";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { Secrets } from "../../../core/secrets.ts";

/** An entry of the audit trail with all that it says. */
export type SealedEntry = Selectable<Tables["audit"]>;
export type AuditSeal = Selectable<Tables["audit_seals"]>;

/** SHA-256 of everything that an entry says. */
export function hashEntry(entry: SealedEntry): string {
  const { id, created_at, actor_id, actor_name, actor_role, via, address, request_id, kind, action, object, detail } =
    entry;
  const said = [
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
  return hash("sha256", JSON.stringify(said), "base64url");
}

/** The entries' hashes as their seal keeps them. */
export function listEntryHashes(entries: readonly SealedEntry[]): string {
  return entries.map((entry) => `${entry.id}:${hashEntry(entry)}`).join("\n");
}

/** What a seal keeps of its entries: the hash by id. */
export function readEntryHashes({ entry_hashes: text }: AuditSeal): ReadonlyMap<number, string> {
  const lines = text === "" ? [] : text.split("\n");
  return new Map(
    lines.map((line): [number, string] => {
      const [id = "", entryHash = ""] = line.split(":");
      return [Number(id), entryHash];
    }),
  );
}

/** The hash of a seal: of all that it says and of the seal before it. `previous` is empty for the first one. */
export function hashSeal(secrets: Secrets, seal: Omit<AuditSeal, "hash">, previous: string): string {
  const { number, kind, last_id, newest_at, sealed_at, entry_hashes } = seal;
  const said = [previous, number, kind, last_id, newest_at, sealed_at, entry_hashes];
  return secrets.sign("audit-seal", JSON.stringify(said));
}

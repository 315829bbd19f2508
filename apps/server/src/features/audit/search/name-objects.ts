import type { Queryable } from "../../../core/transaction.ts";
import { nameIn, type ObjectNames } from "../audit.present.ts";
import { type AuditRow, listNewestOf } from "../audit.repository.ts";
import { nameObjects, NAMED_NOUNS } from "./object.repository.ts";

/** Names the objects and management keys of entries. A deleted object has the name in its newest entry, if there. */
export async function nameObjectsOf(
  queryable: Queryable,
  rows: readonly Pick<AuditRow, "object" | "via">[],
): Promise<ObjectNames> {
  const found = new Map<string, string>();
  const objects = [...new Set(rows.flatMap(({ object, via }) => [object, via]))];
  for (const noun of NAMED_NOUNS) {
    const ids = objects.flatMap((object) => idOf(object, noun));
    if (ids.length === 0) continue;
    for (const { id, name } of await nameObjects(queryable, noun, ids)) found.set(`${noun}:${id}`, name);
  }
  const missing = objects.filter((object) => !found.has(object) && object.includes(":"));
  const newest = missing.length === 0 ? [] : await listNewestOf(queryable, missing);
  const former = new Map(newest.map((row) => [row.object, nameIn(row)]));
  return { nameOf: (object) => found.get(object) ?? former.get(object) ?? "", exists: (object) => found.has(object) };
}

function idOf(object: string, noun: string): number[] {
  const id = object.startsWith(`${noun}:`) ? Number(object.slice(noun.length + 1)) : 0;
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

import { AUDIT_KINDS } from "@one-api/contract/constants";
import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import { type Expression, type SqlBool, sql } from "kysely";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { findObjects, NAMED_NOUNS } from "./object.repository.ts";

/** Objects of one noun that a word can name. */
const MOST_NAMED = 30;

/** Nouns whose id is a text that users know. */
const TEXT_NOUNS = ["group", "mail"] as const;

/** Matches of one word, each served by an index of the audit trail in the order of ids. */
export type WordMatch = readonly Expression<SqlBool>[];

interface FoundObject {
  readonly object: string;
  readonly name: string;
}

/** Returns the matches of each word; an empty one matches nothing. */
export function matchWords(
  queryable: Queryable,
  reader: Actor,
  { keyword, actions }: { readonly keyword: string; readonly actions: readonly string[] },
): Promise<readonly WordMatch[]> {
  const words = keyword.split(/\s+/).filter((word) => word !== "");
  return Promise.all(
    words.map(async (word) => {
      const objects = await findNamed(queryable, word);
      return [
        ...matchActor(word, objects),
        ...matchObject(word, objects),
        ...matchActions(word, actions),
        matchAddress(word, reader),
      ];
    }),
  );
}

/** Objects whose name, id or option key matches the word. They need not have entries. */
export async function suggestObjects(queryable: Queryable, word: string): Promise<readonly FoundObject[]> {
  const named = await findNamed(queryable, word);
  const known = new Set(named.map(({ object }) => object));
  const others = [...withId(word), ...optionsOf(word)].filter((object) => !known.has(object));
  return [...named, ...others.map((object) => ({ object, name: "" }))];
}

async function findNamed(queryable: Queryable, word: string): Promise<readonly FoundObject[]> {
  const found = await Promise.all(
    NAMED_NOUNS.map(async (noun) => {
      const rows = await findObjects(queryable, noun, word, MOST_NAMED);
      return rows.map(({ id, name }) => ({ object: `${noun}:${id}`, name }));
    }),
  );
  return found.flat();
}

function withId(word: string): readonly string[] {
  if (word.includes(":")) return [word];
  if (/^[1-9]\d{0,14}$/.test(word)) return AUDIT_KINDS.map((kind) => `${kind}:${word}`);
  return TEXT_NOUNS.map((noun) => `${noun}:${word}`);
}

function optionsOf(word: string): readonly string[] {
  const sought = word.toLowerCase();
  return OPTION_KEYS.filter((key) => key.toLowerCase().includes(sought)).map((key) => `option:${key}`);
}

/** Deleted users are found by the whole name that they had. */
function matchActor(word: string, objects: readonly FoundObject[]): WordMatch {
  const ids = objects.flatMap(({ object }) => (object.startsWith("user:") ? [Number(object.slice(5))] : []));
  const byId = ids.map((id) => sql<SqlBool>`actor_id = ${id}`);
  return [sql<SqlBool>`lower(actor_name) = lower(cast(${word} as text))`, ...byId];
}

function matchObject(word: string, named: readonly FoundObject[]): WordMatch {
  const objects = [...named.map(({ object }) => object), ...withId(word), ...optionsOf(word)];
  return [sql<SqlBool>`object in (${sql.join([...new Set(objects)])})`];
}

function matchActions(word: string, actions: readonly string[]): WordMatch {
  const listed = actions
    .filter((one) => one.slice(0, one.lastIndexOf(":")).toLowerCase() === word.toLowerCase())
    .flatMap((one) => one.slice(one.lastIndexOf(":") + 1).split(","));
  const byKind = Map.groupBy([...new Set([...listed, ...(word.includes(".") ? [word] : [])])], kindOf);
  const matches = [...byKind].map(
    ([kind, ofKind]) => sql<SqlBool>`(kind = ${kind} and action in (${sql.join(ofKind)}))`,
  );
  return AUDIT_KINDS.some((kind) => kind === word) ? [...matches, sql<SqlBool>`kind = ${word}`] : matches;
}

function kindOf(action: string): string {
  return action.split(".")[0] ?? "";
}

/** Addresses that the reader may not see are not searched. */
function matchAddress(word: string, reader: Actor): Expression<SqlBool> {
  if (actorIsRoot(reader)) return sql<SqlBool>`address = ${word}`;
  return sql<SqlBool>`(address = ${word} and actor_role <= ${reader.role})`;
}

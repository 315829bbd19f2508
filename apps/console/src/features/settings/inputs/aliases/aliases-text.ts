import {
  type AliasConditions,
  aliasConditionsSchema,
  entriesOfAlias,
  type ModelAlias,
  modelAliasesSchema,
} from "@one-api/contract/channels/model-aliases";
import * as z from "zod/mini";

/** One model of an alias. Rows of the same alias belong together, in their order. */
export interface AliasRow {
  readonly id: number;
  readonly alias: string;
  readonly model: string;
  /** Empty for models that are tried in order. */
  readonly weight: number | string;
  readonly when: AliasConditions;
  readonly firstTokenMs: number | undefined;
  /** The row above has the alias, which is named once. */
  readonly follows?: boolean;
}

/** True for a row that does not name its alias: the row above belongs to it, too. */
export function isFollower(row: AliasRow, rows: readonly AliasRow[]): boolean {
  return row.follows === true && rows[rows.indexOf(row) - 1]?.alias === row.alias;
}

/** Rows of the alias that begins at a row. */
function rowsOfAlias(first: AliasRow, rows: readonly AliasRow[]): readonly AliasRow[] {
  const begin = rows.indexOf(first);
  const end = rows.findIndex((row, index) => index > begin && !isFollower(row, rows));
  return rows.slice(begin, end === -1 ? rows.length : end);
}

/** Changes the alias of a row and of those that follow it. */
export function renameAlias(rows: readonly AliasRow[], first: AliasRow, alias: string): AliasRow[] {
  const renamed = rowsOfAlias(first, rows);
  return rows.map((row) => (renamed.includes(row) ? { ...row, alias } : row));
}

/** Adds an empty row to the alias that begins at a row. */
export function addToAlias(rows: readonly AliasRow[], first: AliasRow): AliasRow[] {
  const known = rowsOfAlias(first, rows);
  const id = Math.max(...rows.map((row) => row.id)) + 1;
  const added = { id, alias: first.alias, model: "", weight: "", when: {}, firstTokenMs: undefined, follows: true };
  const end = rows.indexOf(first) + known.length;
  return [...rows.slice(0, end), added, ...rows.slice(end)];
}

const nameSchema = z.string();
const weightSchema = z.number();

const entrySchema = z.strictObject({
  model: nameSchema,
  weight: z.optional(weightSchema),
  when: z.optional(aliasConditionsSchema),
  first_token_ms: z.optional(z.number()),
});

/** Aliases as a table may have left them, with missing and repeated names. */
const tableSchema = z.record(
  nameSchema,
  z.union([z.array(z.union([nameSchema, entrySchema])), z.record(nameSchema, weightSchema)]),
);

/** Rows of the option's JSON; none for an empty text, undefined for one that a table cannot show. */
export function readAliases(text: string): AliasRow[] | undefined {
  if (text.trim() === "") return [];
  try {
    const { data } = tableSchema.safeParse(JSON.parse(text));
    if (data === undefined) return undefined;
    const entries = Object.entries(data).flatMap(([alias, models]) =>
      entriesOfAlias(models).map((entry) => ({ alias, ...entry })),
    );
    return entries.map(({ weight = "", ...entry }, id) => ({
      id,
      ...entry,
      weight,
      ...(entries[id - 1]?.alias === entry.alias && { follows: true }),
    }));
  } catch {
    return undefined;
  }
}

/** Names that a row lacks. An empty row lacks none. */
export function missingIn({ alias, model, weight }: Pick<AliasRow, "alias" | "model" | "weight">): {
  alias: boolean;
  model: boolean;
} {
  const isEmpty = [alias.trim(), model.trim(), weight].every((value) => value === "");
  return { alias: !isEmpty && alias.trim() === "", model: !isEmpty && model.trim() === "" };
}

/** True for a row whose model another row of the alias has. */
export function isRepeated(row: AliasRow, rows: readonly AliasRow[]): boolean {
  const isSame = ({ alias, model }: AliasRow) => alias.trim() === row.alias.trim() && model.trim() === row.model.trim();
  return row.model.trim() !== "" && rows.filter(isSame).length > 1;
}

/**
 * The aliases as JSON; empty without rows. Empty rows are left out. Rows that lack a name or repeat one are written, and
 * the option refuses them.
 */
export function writeAliases(rows: readonly AliasRow[]): string {
  const aliases = aliasesOf(rows);
  return Object.keys(aliases).length === 0 ? "" : JSON.stringify(aliases, undefined, 2);
}

/** The aliases of the rows, without empty ones. */
export function aliasesOf(rows: readonly AliasRow[]): Readonly<Record<string, ModelAlias>> {
  const aliases = new Map<string, AliasRow[]>();
  for (const row of rows) {
    const [alias, model] = [row.alias.trim(), row.model.trim()];
    if (alias === "" && model === "" && row.weight === "") continue;
    aliases.set(alias, [...(aliases.get(alias) ?? []), { ...row, model }]);
  }
  return Object.fromEntries([...aliases].map(([alias, models]) => [alias, modelsOf(models)]));
}

/** One weight makes all models of the alias weighted; a row without one weighs 0. */
function modelsOf(rows: readonly AliasRow[]): ModelAlias {
  const models = rows.map(({ model }) => model);
  const hasWeights = rows.some(({ weight }) => weight !== "");
  const isPlain = rows.every(({ when, firstTokenMs }) => Object.keys(when).length === 0 && firstTokenMs === undefined);
  if (isPlain && !hasWeights) return models;
  if (isPlain && new Set(models).size === models.length)
    return Object.fromEntries(rows.map(({ model, weight }) => [model, Number(weight)]));
  return rows.map(({ model, weight, when, firstTokenMs }) => {
    const more = {
      ...(hasWeights && { weight: Number(weight) }),
      ...(Object.keys(when).length > 0 && { when }),
      ...(firstTokenMs !== undefined && { first_token_ms: firstTokenMs }),
    };
    return Object.keys(more).length === 0 ? model : { model, ...more };
  });
}

/** Names of the aliases of several models, also of those that a table cannot show. */
export function comparableAliases(text: string): readonly string[] {
  try {
    const { data = {} } = modelAliasesSchema.safeParse(text.trim() === "" ? {} : JSON.parse(text));
    return Object.keys(data).filter((name) => entriesOfAlias(data[name] ?? []).length > 1);
  } catch {
    return [];
  }
}

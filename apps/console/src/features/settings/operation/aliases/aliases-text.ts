import { entriesOfAlias, type ModelAlias, modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import * as z from "zod/mini";

/** One model of an alias. Rows of the same alias belong together, in their order. */
export interface AliasRow {
  readonly id: number;
  readonly alias: string;
  readonly model: string;
  /** Empty for models that are tried in order. */
  readonly weight: number | string;
}

const nameSchema = z.string();
const weightSchema = z.number();

/** Aliases as a table may have left them, with missing and repeated names. Conditions and deadlines have no place there. */
const tableSchema = z.record(
  nameSchema,
  z.union([
    z.array(z.union([nameSchema, z.strictObject({ model: nameSchema, weight: z.optional(weightSchema) })])),
    z.record(nameSchema, weightSchema),
  ]),
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
    return entries.map(({ alias, model, weight = "" }, id) => ({ id, alias, model, weight }));
  } catch {
    return undefined;
  }
}

/** Names that a row lacks. An empty row lacks none. */
export function missingIn({ alias, model, weight }: AliasRow): { alias: boolean; model: boolean } {
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
  const aliases = new Map<string, AliasRow[]>();
  for (const row of rows) {
    const [alias, model] = [row.alias.trim(), row.model.trim()];
    if (alias === "" && model === "" && row.weight === "") continue;
    aliases.set(alias, [...(aliases.get(alias) ?? []), { ...row, model }]);
  }
  if (aliases.size === 0) return "";
  const written = [...aliases].map(([alias, models]) => [alias, modelsOf(models)] as const);
  return JSON.stringify(Object.fromEntries(written), undefined, 2);
}

/** One weight makes all models of the alias weighted; a row without one weighs 0. */
function modelsOf(rows: readonly AliasRow[]): ModelAlias {
  const models = rows.map(({ model }) => model);
  if (rows.every(({ weight }) => weight === "")) return models;
  const weighted = rows.map(({ model, weight }) => ({ model, weight: Number(weight) }));
  if (new Set(models).size < models.length) return weighted;
  return Object.fromEntries(weighted.map(({ model, weight }) => [model, weight]));
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

import { entriesOfAlias, modelAliasesSchema } from "@one-api/contract/channels/model-aliases";

/** One model of an alias. Rows of the same alias belong together, in their order. */
export interface AliasRow {
  readonly id: number;
  readonly alias: string;
  readonly model: string;
  /** Empty for models that are tried in order. */
  readonly weight: number | string;
}

/** Rows of the option's JSON; none for an empty text, undefined for one that is no aliases or has conditions. */
export function readAliases(text: string): AliasRow[] | undefined {
  if (text.trim() === "") return [];
  try {
    const { data } = modelAliasesSchema.safeParse(JSON.parse(text));
    const entries = Object.entries(data ?? {}).flatMap(([alias, models]) =>
      entriesOfAlias(models).map((entry) => ({ alias, ...entry })),
    );
    // A table has no place for conditions.
    if (data === undefined || entries.some(({ when }) => Object.keys(when).length > 0)) return undefined;
    return entries.map(({ alias, model, weight = "" }, id) => ({ id, alias, model, weight }));
  } catch {
    return undefined;
  }
}

/** The aliases as JSON; empty without rows. Rows without an alias or a model are left out. */
export function writeAliases(rows: readonly AliasRow[]): string {
  const aliases = new Map<string, AliasRow[]>();
  for (const row of rows) {
    const [alias, model] = [row.alias.trim(), row.model.trim()];
    if (alias === "" || model === "") continue;
    aliases.set(alias, [...(aliases.get(alias) ?? []), { ...row, model }]);
  }
  if (aliases.size === 0) return "";
  const written = [...aliases].map(([alias, models]) => [alias, modelsOf(models)] as const);
  return JSON.stringify(Object.fromEntries(written), undefined, 2);
}

/** One weight makes all models of the alias weighted; a row without one weighs 0. */
function modelsOf(rows: readonly AliasRow[]): readonly string[] | Record<string, number> {
  if (rows.every(({ weight }) => weight === "")) return rows.map(({ model }) => model);
  return Object.fromEntries(rows.map(({ model, weight }) => [model, Number(weight)]));
}

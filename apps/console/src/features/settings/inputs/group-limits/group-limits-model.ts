import { type LimitField, type LimitValues, LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { groupLimitsSchema, type LimitsOfGroup } from "@one-api/contract/limits/limits";

export type GroupLimits = Readonly<Record<string, LimitsOfGroup>>;

/** Limits of each user of a group, for all models or for one. */
export interface LimitRow {
  readonly group: string;
  /** Empty for all models. */
  readonly model: string;
  readonly limits: LimitValues;
}

export function nameOfRow({ group, model }: LimitRow): string {
  return model === "" ? group : `${group}, ${model}`;
}

/** Parses the option's text, an empty one as no limits; undefined if it is invalid. */
export function readGroupLimits(text: string): GroupLimits | undefined {
  if (text.trim() === "") return {};
  try {
    return groupLimitsSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Writes the limits as indented JSON, empty for none. */
export function formatGroupLimits(limits: GroupLimits): string {
  return Object.keys(limits).length === 0 ? "" : JSON.stringify(limits, undefined, 2);
}

/** Returns a row for each group, followed by a row for each of its models. */
export function limitRows(limits: GroupLimits): LimitRow[] {
  return Object.entries(limits).flatMap(([group, { models = {}, ...ofGroup }]) => [
    { group, model: "", limits: ofGroup },
    ...Object.entries(models).map(([model, ofModel]) => ({ group, model, limits: ofModel })),
  ]);
}

function withoutModel({ models = {}, ...ofGroup }: LimitsOfGroup, model: string): LimitsOfGroup {
  const rest = Object.entries(models).filter(([name]) => name !== model);
  return rest.length === 0 ? ofGroup : { ...ofGroup, models: Object.fromEntries(rest) };
}

/** Returns the limits with the row's values; a new row is added after the others. */
export function withRow(limits: GroupLimits, { group, model, limits: values }: LimitRow): GroupLimits {
  const set = Object.fromEntries(LIMIT_FIELDS.flatMap((field) => (values[field] ? [[field, values[field]]] : [])));
  const { models, ...ofGroup } = limits[group] ?? {};
  const changed =
    model === ""
      ? { ...set, ...(models === undefined ? {} : { models }) }
      : { ...ofGroup, models: { ...models, [model]: set } };
  return { ...limits, [group]: changed };
}

/** Returns the limits without the row; without that of a group, its models have no limits either. */
export function withoutRow(limits: GroupLimits, { group, model }: LimitRow): GroupLimits {
  if (model !== "") return { ...limits, [group]: withoutModel(limits[group] ?? {}, model) };
  return Object.fromEntries(Object.entries(limits).filter(([name]) => name !== group));
}

/** Returns the row with another limit; undefined or 0 is no limit. */
export function withLimit(row: LimitRow, field: LimitField, limit: number | undefined): LimitRow {
  return { ...row, limits: { ...row.limits, [field]: limit } };
}

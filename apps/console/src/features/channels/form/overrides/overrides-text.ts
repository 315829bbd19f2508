import {
  entriesOf,
  type OverrideAction,
  type OverrideEntry,
  parseOverrides,
} from "@one-api/contract/channels/overrides/overrides";

export interface OverrideRow {
  readonly id: number;
  readonly where: OverrideEntry["where"];
  readonly action: OverrideAction;
  readonly name: string;
  /** A header's value; of a field its JSON, or a text without quotes. */
  readonly value: string;
}

/** Rows of overrides; none for an empty text, undefined for one that has none. */
export function readOverrides(text: string): OverrideRow[] | undefined {
  const overrides = parseOverrides(text);
  return overrides && entriesOf(overrides).map((entry, id) => ({ ...entry, id, value: valueText(entry) }));
}

/** True for a row with a value and no name. */
export function lacksName({ name, value }: OverrideRow): boolean {
  return name.trim() === "" && value.trim() !== "";
}

/** The overrides as JSON; empty without rows. Empty rows are left out, and a value without a name is refused by the form. */
export function writeOverrides(rows: readonly OverrideRow[]): string {
  const named = rows
    .map((row) => ({ ...row, name: row.name.trim() }))
    .filter((row) => row.name !== "" || lacksName(row));
  if (named.length === 0) return "";
  const headers = actionsOf(named.filter(({ where }) => where === "header"));
  const body = actionsOf(named.filter(({ where }) => where === "body"));
  return JSON.stringify({ ...(headers && { headers }), ...(body && { body }) }, undefined, 2);
}

function actionsOf(rows: readonly OverrideRow[]): object | undefined {
  if (rows.length === 0) return undefined;
  const valuesOf = (action: OverrideAction) => {
    const own = rows.filter((row) => row.action === action);
    return own.length === 0 ? {} : { [action]: Object.fromEntries(own.map((row) => [row.name, readValue(row)])) };
  };
  const removed = rows.filter(({ action }) => action === "remove").map(({ name }) => name);
  return { ...valuesOf("set"), ...valuesOf("default"), ...(removed.length > 0 && { remove: removed }) };
}

function valueText({ where, value }: OverrideEntry): string {
  if (value === undefined) return "";
  return typeof value === "string" && (where === "header" || parsed(value) === undefined)
    ? value
    : JSON.stringify(value);
}

function readValue({ where, value }: OverrideRow): unknown {
  const json = where === "body" ? parsed(value) : undefined;
  return json === undefined ? value : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

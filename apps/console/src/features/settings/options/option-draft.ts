import { hasOptionDecimals, isOptionNumber, type OptionDefinition } from "@one-api/contract/options/define-option";
import { isOptionKey, OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";

/** A page is a text of several lines with a preview. `limits` are those of groups, `aliases` those of models. */
type FieldKind = "text" | "number" | "quota" | "choice" | "address" | "secret" | "list" | "page" | "limits" | "aliases";

/** One option that a section's button saves. */
export interface OptionField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Of a number: most digits after its point. */
  readonly decimals?: number;
  /** Of a page: what it looks like where it is shown. */
  readonly preview?: "document" | "page" | "line";
  readonly choices?: readonly string[];
  /** Of a secret: the options whose change makes the server forget it. */
  readonly sentTo?: readonly string[];
  /** Of a secret: an address with a password in it. */
  readonly isAddress?: boolean;
  readonly placeholder?: string;
  /** The server uses the placeholder for an empty field. */
  readonly isPlaceholderTaken?: boolean;
}

export interface OptionSection {
  readonly id: string;
  /** Switches save at once. */
  readonly switches: readonly string[];
  readonly fields: readonly OptionField[];
}

/** Saved options, and the names of set secrets. */
export interface SavedOptions {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Without the options that have no default. */
  readonly defaults: Readonly<Record<string, string>>;
}

export type Draft = Readonly<Record<string, string>>;

export interface OptionChange {
  readonly key: string;
  readonly value: string;
}

function tidy(field: OptionField, text: string): string {
  if (field.kind === "page") return text;
  return field.kind === "address" || field.isAddress === true ? text.trim().replace(/\/+$/, "") : text.trim();
}

/** JSON without its whitespace; other texts unchanged. */
function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function effectOf({ kind, placeholder = "", isPlaceholderTaken = false }: OptionField, value: string): string {
  if (kind === "limits" || kind === "aliases") return compactJson(value);
  return value === "" && isPlaceholderTaken ? placeholder : value;
}

/** The options that saving sends: only what changed, a secret and a number only when something is typed; addresses before their secrets. */
export function changedOptions(fields: readonly OptionField[], draft: Draft, { values }: SavedOptions): OptionChange[] {
  return fields
    .flatMap((field) => {
      const typed = draft[field.key];
      if (typed === undefined) return [];
      const value = tidy(field, typed);
      const isOptional = ["secret", "number", "quota"].includes(field.kind);
      const isSame =
        isOptional && value === "" ? true : effectOf(field, value) === effectOf(field, values[field.key] ?? "");
      return isSame ? [] : [{ key: field.key, value, isLast: field.kind === "secret" }];
    })
    .toSorted((left, right) => Number(left.isLast) - Number(right.isLast))
    .map(({ key, value }) => ({ key, value }));
}

/** Reason why a changed number cannot be saved: out of bounds, or too many decimals. Undefined if valid. */
export function numberProblem(
  { key }: OptionField,
  changes: readonly OptionChange[],
): "numberRange" | "numberDecimals" | undefined {
  const value = changes.find((change) => change.key === key)?.value;
  if (!isOptionKey(key) || value === undefined) return undefined;
  const definition: OptionDefinition = OPTION_DEFINITIONS[key];
  if (definition.kind !== "integer" && definition.kind !== "number") return undefined;
  if (!isOptionNumber(definition, value)) return "numberRange";
  return hasOptionDecimals(definition, value) ? undefined : "numberDecimals";
}

/** Secrets that the server forgets with this change, because their address changes, unless they are typed again. */
export function secretsToRetype(fields: readonly OptionField[], draft: Draft, saved: SavedOptions): string[] {
  const changed = new Set(changedOptions(fields, draft, saved).map(({ key }) => key));
  return fields
    .filter(
      ({ key, sentTo = [] }) =>
        sentTo.some((option) => changed.has(option)) && saved.secrets.includes(key) && !changed.has(key),
    )
    .map(({ key }) => key);
}

export interface KeyPart {
  readonly label: string;
  /** Field of `config` that also holds the part. The form then has a field for each part. */
  readonly config?: "ak" | "sk" | "region" | "vertex_ai_project_id" | "vertex_ai_adc";
  /** Leaves the server only towards the provider. */
  readonly isSecret?: true;
  /** A JSON document, which may have several lines and contain the separator; only the last part may be one. */
  readonly isDocument?: true;
}

/** Form of a key of several parts, in this order. */
export interface KeyForm {
  readonly separator: "|" | "-";
  readonly parts: readonly KeyPart[];
  /** A part may contain the separator, so the form of a key cannot be checked. */
  readonly isLoose?: true;
  /** Keys of several parts are older ones; the provider now issues keys of one part without a separator. */
  readonly isOlder?: true;
}

export const AWS_KEY = {
  separator: "|",
  parts: [
    { label: "ak", config: "ak" },
    { label: "sk", config: "sk", isSecret: true },
    { label: "region", config: "region" },
  ],
} as const satisfies KeyForm;

export const VERTEX_KEY = {
  separator: "|",
  parts: [
    { label: "region", config: "region" },
    { label: "project id", config: "vertex_ai_project_id" },
    { label: "credentials", config: "vertex_ai_adc", isSecret: true, isDocument: true },
  ],
} as const satisfies KeyForm;

export function olderKey(...labels: readonly string[]): KeyForm {
  return { separator: "|", parts: labels.map((label) => ({ label })), isOlder: true };
}

/** Describes the form for people: `ak|sk|region`. */
export function keyHint({ separator, parts }: KeyForm): string {
  return parts.map((part) => part.label).join(separator);
}

function hasKeyFields({ parts }: KeyForm): boolean {
  return parts.some((part) => part.config !== undefined);
}

/** Returns the parts of a key in the form's order; undefined if it does not have the form. */
export function splitKey({ separator, parts }: KeyForm, key: string): readonly string[] | undefined {
  const pieces = key.split(separator);
  const isOpenEnded = parts.at(-1)?.isDocument === true;
  if (pieces.length < parts.length || (pieces.length > parts.length && !isOpenEnded)) return undefined;
  const last = parts.length - 1;
  const values = [...pieces.slice(0, last), pieces.slice(last).join(separator)].map((piece) => piece.trim());
  return values.includes("") ? undefined : values;
}

/** Joins parts in the form's order; empty while one is missing. A document is written on one line. */
export function joinKey({ separator, parts }: KeyForm, values: readonly string[]): string {
  const texts = parts.map((part, index) => keyPartValue(part, values[index] ?? ""));
  return texts.includes("") ? "" : texts.join(separator);
}

export function keyPartValue(part: KeyPart, value: string): string {
  const text = value.trim();
  if (part.isDocument !== true) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/**
 * Returns the keys in a text: one per non-empty line, or the whole text if it is one key with a document of several
 * lines.
 */
export function splitKeys(form: KeyForm | undefined, text: string): readonly string[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const hasDocument = form?.parts.some((part) => part.isDocument === true) ?? false;
  const isWhole = hasDocument && form !== undefined && lines.some((line) => splitKey(form, line) === undefined);
  return isWhole ? [text.trim()] : lines;
}

/**
 * True when a key can be of this form. A key without the separator is valid if parts have their own fields or are
 * older.
 */
export function fitsKeyForm(form: KeyForm | undefined, key: string): boolean {
  if (form === undefined || form.isLoose === true) return true;
  if ((hasKeyFields(form) || form.isOlder === true) && !key.includes(form.separator)) return true;
  return splitKey(form, key) !== undefined;
}

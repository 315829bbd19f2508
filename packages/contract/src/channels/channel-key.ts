/** A part of a key. */
export interface KeyPart {
  /** As providers call it. */
  readonly label: string;
  /** The field of `config` that holds the part too, where the provider needs it by itself: the form then asks for each part. */
  readonly config?: "ak" | "sk" | "region" | "vertex_ai_project_id" | "vertex_ai_adc";
  /** Leaves the server only towards the provider. */
  readonly isSecret?: true;
  /** A JSON document, which may stand on several lines and hold the separator; only the last part may be one. */
  readonly isDocument?: true;
}

/** How a key of several parts is written, in this order. */
export interface KeyForm {
  readonly separator: "|" | "-";
  readonly parts: readonly KeyPart[];
  /** The separator may stand inside a part too, so that the form of a key cannot be checked. */
  readonly isLoose?: true;
  /** The provider hands out keys of one part today, which have no separator; those of several are older ones. */
  readonly isOlder?: true;
}

/** Of Bedrock: the two halves of an access key, and a region. */
export const AWS_KEY = {
  separator: "|",
  parts: [
    { label: "ak", config: "ak" },
    { label: "sk", config: "sk", isSecret: true },
    { label: "region", config: "region" },
  ],
} as const satisfies KeyForm;

/** Of Vertex AI: a region, a project, and the credentials that Google hands out as a file. */
export const VERTEX_KEY = {
  separator: "|",
  parts: [
    { label: "region", config: "region" },
    { label: "project id", config: "vertex_ai_project_id" },
    { label: "credentials", config: "vertex_ai_adc", isSecret: true, isDocument: true },
  ],
} as const satisfies KeyForm;

/** Of a provider whose keys are of one part today. */
export function olderKey(...labels: readonly string[]): KeyForm {
  return { separator: "|", parts: labels.map((label) => ({ label })), isOlder: true };
}

/** How the key is written, for people: `ak|sk|region`. */
export function keyHint({ separator, parts }: KeyForm): string {
  return parts.map((part) => part.label).join(separator);
}

/** True where the parts have fields of their own in `config`, so that a form asks for each. */
function hasKeyFields({ parts }: KeyForm): boolean {
  return parts.some((part) => part.config !== undefined);
}

/** The parts of a key in the form's order; undefined when it has not the form. */
export function splitKey({ separator, parts }: KeyForm, key: string): readonly string[] | undefined {
  const pieces = key.split(separator);
  const isOpenEnded = parts.at(-1)?.isDocument === true;
  if (pieces.length < parts.length || (pieces.length > parts.length && !isOpenEnded)) return undefined;
  const last = parts.length - 1;
  const values = [...pieces.slice(0, last), pieces.slice(last).join(separator)].map((piece) => piece.trim());
  return values.includes("") ? undefined : values;
}

/** The key of these parts, which stand in the form's order; empty while one is missing. A document is written on one line. */
export function joinKey({ separator, parts }: KeyForm, values: readonly string[]): string {
  const texts = parts.map((part, index) => keyPartValue(part, values[index] ?? ""));
  return texts.includes("") ? "" : texts.join(separator);
}

/** A part as key and config hold it. */
export function keyPartValue(part: KeyPart, value: string): string {
  const text = value.trim();
  if (part.isDocument !== true) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The keys in a text: one per line that is not empty, or the whole text where it is one key whose document stands on several lines. */
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
 * True when a key can be one of this form. Where the parts have fields of their own, or keys of several parts are the older ones, a key without the
 * separator is taken as one secret, which these providers hand out too.
 */
export function fitsKeyForm(form: KeyForm | undefined, key: string): boolean {
  if (form === undefined || form.isLoose === true) return true;
  if ((hasKeyFields(form) || form.isOlder === true) && !key.includes(form.separator)) return true;
  return splitKey(form, key) !== undefined;
}

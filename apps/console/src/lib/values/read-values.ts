// Values of an address or the browser's storage may be anything: these functions return undefined for the wrong kind.

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A trimmed text of at most so many characters; an empty one only where nothing is the least. */
export function textOf(value: unknown, { least = 1, most = Number.MAX_SAFE_INTEGER } = {}): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text.length >= least && text.length <= most ? text : undefined;
}

/** A whole number within the bounds, written as a number or as a text. */
export function integerOf(
  value: unknown,
  { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = {},
): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** The values of a list, or of one value, that can be read, each once; undefined without any. */
export function listOf<Value>(value: unknown, read: (one: unknown) => Value | undefined): readonly Value[] | undefined {
  const values = [...new Set([value].flat().map(read))].filter((one) => one !== undefined);
  return values.length === 0 ? undefined : values;
}

export function choiceOf<const Choice>(value: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}

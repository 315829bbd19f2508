import type { UseFormReturnType } from "@mantine/form";

/** Fields that this form and somebody else have both changed since it was opened. */
export class ContestedEdit extends Error {
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`Changed meanwhile: ${fields.join(", ")}`);
    this.fields = fields;
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the values to save: edited fields, and the now stored value of all others. Throws ContestedEdit for a field
 * that both changed; the next save then overwrites it. `spent`: a quota, which requests change all the time.
 */
export function mergeEdits<Values extends object>(
  form: Pick<UseFormReturnType<Values>, "getInitialValues" | "setInitialValues" | "setValues">,
  edited: Values,
  stored: Values,
  spent?: keyof Values,
): Values {
  const opened = form.getInitialValues();
  const merged = { ...stored };
  const contested: string[] = [];
  for (const field in edited) {
    if (isSame(edited[field], opened[field])) continue;
    merged[field] = edited[field];
    const isOwnAlone = isSame(stored[field], opened[field]) || isSame(stored[field], edited[field]);
    if (!isOwnAlone && field !== spent) contested.push(field);
  }
  if (contested.length === 0) return merged;
  form.setInitialValues(stored);
  form.setValues(merged);
  throw new ContestedEdit(contested);
}

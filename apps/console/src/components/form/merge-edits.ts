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
 * Returns the values to save: what was edited here, and for the rest what is stored by now, so that nothing that somebody else has changed
 * since the form was opened is undone. Throws ContestedEdit where both changed a field; the form stands on what is stored then, and the
 * next save is meant. `spent`: a quota, which requests change all the time.
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

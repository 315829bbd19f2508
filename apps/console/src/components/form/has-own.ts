import type { UseFormReturnType } from "@mantine/form";

/** Tells whether one of the fields differs from its usual value, or has an error. */
export function hasOwnValue<Values extends object>(
  form: Pick<UseFormReturnType<Values>, "values" | "errors">,
  usual: Values,
  fields: readonly (keyof Values & string)[],
): boolean {
  return fields.some(
    (field) => form.errors[field] !== undefined || String(form.values[field]) !== String(usual[field]),
  );
}

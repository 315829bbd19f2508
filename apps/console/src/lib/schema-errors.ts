import type { FormErrors } from "@mantine/form";
import type { z } from "zod";

/** Checks form values with a schema and returns Mantine's errors: the first message of each field. For `useForm({ validate })`. */
export function schemaErrors(schema: z.ZodType): (values: unknown) => FormErrors {
  return (values) => {
    const errors: FormErrors = {};
    for (const issue of schema.safeParse(values).error?.issues ?? []) {
      errors[issue.path.join(".")] ??= issue.message;
    }
    return errors;
  };
}

import type { FormErrors } from "@mantine/form";
import type { Schema } from "@one-api/contract/call";
import type { ErrorValues } from "@one-api/contract/error-codes";
import { type InputProblem, problemOf } from "@one-api/contract/input-problem";
import { ApiError } from "./api/api-error.ts";
import { problemText } from "./api/error-text.ts";
import { useTranslation } from "./i18n/use-translation.ts";

/** Texts of a form's fields: one for every problem of a field, or one by problem. All others have the text of the server's refusal. */
export type ProblemTexts<Field extends string> = {
  readonly [name in Field]?: string | { readonly [problem in InputProblem]?: string };
};

/** Returns whether the server would take the input. */
export function isAccepted(schema: Schema, input: unknown): boolean {
  return schema.safeParse(input).success;
}

/** Returns the refusal with which the server would answer, for the first wrong field; undefined where it would take the input. */
export function refusalOf(schema: Schema, input: unknown): ApiError | undefined {
  const [first] = findProblems(schema, input);
  if (first === undefined) return undefined;
  const [field, values] = first;
  return new ApiError({
    kind: "http",
    status: 400,
    message: `${field} is not valid.`,
    code: "invalid-input",
    field,
    values,
  });
}

/** Returns the first problem of each field, with the limits that its text names. The quota of a budget is the field `budget_quota`. */
export function findProblems(schema: Schema, input: unknown): ReadonlyMap<string, ErrorValues> {
  const problems = new Map<string, ErrorValues>();
  for (const issue of schema.safeParse(input, { reportInput: true }).error?.issues ?? []) {
    const field = issue.path.join("_");
    if (!problems.has(field)) problems.set(field, problemOf(issue));
  }
  return problems;
}

function validateForm<Field extends string>(
  schema: Schema,
  input: unknown,
  texts: ProblemTexts<Field> = {},
): FormErrors {
  const ofField = new Map<string, string | Readonly<Record<string, string>>>(Object.entries(texts));
  return Object.fromEntries(
    [...findProblems(schema, input)].map(([field, values]) => {
      const own = ofField.get(field);
      const text = typeof own === "string" ? own : own?.[String(values["problem"])];
      // Without a text the field is marked all the same.
      return [field, text ?? problemText(field, values) ?? true];
    }),
  );
}

/**
 * Returns a function for Mantine's `validate`: it checks an input by a schema and returns a text for each wrong field.
 * The input is the payload of a save, with NaN for a number field without a number.
 */
export function useValidateForm(): typeof validateForm {
  // Waits for the texts of refusals.
  useTranslation("refusals");
  return validateForm;
}

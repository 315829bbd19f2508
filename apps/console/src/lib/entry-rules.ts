import { emailSchema, registrationSchema, repeatsPassword } from "@one-api/contract/accounts/registration";
import { loginInputSchema } from "@one-api/contract/accounts/user";
import type { Schema } from "@one-api/contract/call";
import * as z from "zod/mini";
import type { ApiError } from "./api/api-error.ts";
import { refusalOf } from "./validate-form.ts";

const SCHEMAS = {
  login: loginInputSchema,
  registration: registrationSchema.check(z.refine(repeatsPassword, { path: ["password2"] })),
  email: z.object({ email: emailSchema }),
} satisfies Record<string, Schema>;

/** A form on the way in, or a part of one. */
export type EntryForm = keyof typeof SCHEMAS;

/** Returns the refusal with which the server would answer the form; undefined where it would take the input. */
export function refusalOfForm(form: EntryForm, input: unknown): ApiError | undefined {
  return refusalOf(SCHEMAS[form], input);
}

import { regexes } from "zod/mini";

/** True for the form of an e-mail address. A plain pattern, so that the console's forms load no schema for it. */
export function isEmail(text: string): boolean {
  return regexes.email.test(text);
}

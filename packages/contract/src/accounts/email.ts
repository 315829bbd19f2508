import { regexes } from "zod/mini";

/** Whether a mail can be sent there, by the form of the address. A pattern alone: the console's forms load no schema for it. */
export function isEmail(text: string): boolean {
  return regexes.email.test(text);
}

import { createHash } from "node:crypto";

const ID_DIGITS = 12;

/** Id of an alert's record about something that has a name only. */
export function idOfName(name: string): number {
  return Number.parseInt(createHash("sha256").update(name).digest("hex").slice(0, ID_DIGITS), 16);
}

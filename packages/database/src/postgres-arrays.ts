import type { StatementParameter } from "./open-database.ts";

/** An array of numbers as PostgreSQL reads it (its manual, "Array Value Input"). Throws RangeError for what is no exact integer. */
export function numberArray(values: readonly number[]): string {
  const wrong = values.find((value) => !Number.isSafeInteger(value));
  if (wrong !== undefined) throw new RangeError(`${wrong} cannot be stored exactly.`);
  return `{${values.join(",")}}`;
}

const SPECIAL = /["\\]/g;
/** What JSON writes in another way than as it is or with a backslash before it: control characters and halves of pairs. */
const OTHER_IN_JSON = /[^ -\ud7ff\ue000-\uffff]/;

/** An array of texts as PostgreSQL reads it. Of most texts that is what JSON makes of them, but for the brackets, which takes a quarter of the time. */
export function textArray(values: readonly string[]): string {
  if (!values.some((value) => OTHER_IN_JSON.test(value))) return `{${JSON.stringify(values).slice(1, -1)}}`;
  return `{${values.map((value) => `"${value.replace(SPECIAL, "\\$&")}"`).join(",")}}`;
}

/** An array of one column as PostgreSQL reads it. */
export function arrayOf(values: readonly StatementParameter[], isNumbers: boolean): string {
  return isNumbers ? numberArray(values.map(Number)) : textArray(values.map(String));
}

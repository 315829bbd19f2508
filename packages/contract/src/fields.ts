import { z } from "zod";

/** A row id. */
export const idSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Path parameters of calls on one row. */
export const idParamsSchema = z.object({ id: idSchema });

/** An amount of quota: an integer, 500,000 to the dollar by default. */
export const quotaSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Unix time in seconds. */
export const unixSecondsSchema = z.int();

/** Page number in a query, from 0; what is below 0 is page 0. */
export const pageSchema = z.coerce
  .number()
  .int()
  .max(1_000_000)
  .default(0)
  .transform((page) => Math.max(0, page));

/** A search word in a query; an empty one lists everything. */
export const keywordSchema = z.string().trim().max(64).default("");

/** A text that older clients may send as null. */
export function textSchema(maxLength: number) {
  return z.preprocess((value) => value ?? "", z.string().trim().max(maxLength));
}

/** Splits a comma-separated list as stored in the API; blanks and empty parts vanish. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Joins a list into the comma-separated form of the API, without duplicates. */
export function joinList(parts: readonly string[]): string {
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))].join(",");
}

/** Strips trailing slashes, as every stored address is kept. */
export function stripTrailingSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

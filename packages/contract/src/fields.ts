import { z } from "zod";
import { PAGE_SIZES } from "./constants.ts";

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

const anyPageSizeSchema = z.coerce.number<number>().pipe(z.literal(PAGE_SIZES));

/** Rows of the page that is asked for; 10 when nothing is said. */
export const pageSizeSchema = anyPageSizeSchema.default(PAGE_SIZES[0]);

/** Reverses an order; without it numbers and times come descending, texts ascending. */
export const directionSchema = z.enum(["asc", "desc"]).optional();

/** Which way a list is sorted; undefined for its order's own way. */
export type Direction = z.infer<typeof directionSchema>;

/** The column that a list is sorted by, out of a closed list; `default` and empty are the list's own order. */
export function orderSchema<const Columns extends readonly string[]>(columns: Columns) {
  return z
    .preprocess((order) => (order === "" ? "default" : order), z.enum(["default", ...columns]))
    .prefault("default");
}

/**
 * The query of a call that lists rows page by page: `p`, `size`, `order` (one of the columns), `direction` and the call's own filters.
 * Rows that are equal in the order stand by id; the answer's header carries the total.
 */
export function listQuery<const Columns extends readonly string[], Filters extends z.ZodRawShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ p: pageSchema, size: pageSizeSchema, ...order, ...filters });
}

/** The query of a call that finds rows by a keyword: as a list's, but without `size` the answer has all rows, as older clients expect. */
export function searchQuery<const Columns extends readonly string[], Filters extends z.ZodRawShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ keyword: keywordSchema, p: pageSchema, size: anyPageSizeSchema.optional(), ...order, ...filters });
}

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

/** True for a text that can stand in a header of a request: no line breaks and other control characters, nothing beyond Latin-1. */
export function isHeaderText(text: string): boolean {
  return !/[^\x20-\x7e\xa0-\xff]/.test(text);
}

/** Strips trailing slashes, as every stored address is kept. */
export function stripTrailingSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

/** Human checks' answers are up to 2048 characters long. */
const MAX_HUMAN_CHECK_LENGTH = 2_048;

/** What the human check in the browser answered; empty while it is not asked. */
export const turnstileSchema = z.string().max(MAX_HUMAN_CHECK_LENGTH).default("");

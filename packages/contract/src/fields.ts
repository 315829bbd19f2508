import * as z from "zod/mini";
import { PAGE_SIZES } from "./constants.ts";

/** A row id. */
export const idSchema = z.coerce.number().check(z.int(), z.positive(), z.maximum(Number.MAX_SAFE_INTEGER));

/** Path parameters of calls on one row. */
export const idParamsSchema = z.object({ id: idSchema });

/** An amount of quota: an integer, 500,000 to the dollar by default. */
export const quotaSchema = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** Unix time in seconds. */
export const unixSecondsSchema = z.int();

/** Page number in a query, from 0; what is below 0 is page 0. */
export const pageSchema = z.pipe(
  z._default(z.coerce.number().check(z.int(), z.maximum(1_000_000)), 0),
  z.transform((page) => Math.max(0, page)),
);

const anyPageSizeSchema = z.pipe(z.coerce.number<number>(), z.literal(PAGE_SIZES));

/** Rows of the page that is asked for; 10 when nothing is said. */
export const pageSizeSchema = z._default(anyPageSizeSchema, PAGE_SIZES[0]);

/** Reverses an order; without it numbers and times come descending, texts ascending. */
const directionSchema = z.optional(z.enum(["asc", "desc"]));

/** Which way a list is sorted; undefined for its order's own way. */
export type Direction = z.infer<typeof directionSchema>;

/** The column that a list is sorted by, out of a closed list; `default` and empty are the list's own order. */
function orderSchema<const Columns extends readonly string[]>(columns: Columns) {
  return z.prefault(
    z.pipe(
      z.transform((order) => (order === "" ? "default" : order)),
      z.enum(["default", ...columns]),
    ),
    "default",
  );
}

/**
 * The query of a call that lists rows page by page: `p`, `size`, `order` (one of the columns), `direction` and the call's own filters.
 * Rows that are equal in the order stand by id; the answer's header carries the total.
 */
export function listQuery<const Columns extends readonly string[], Filters extends z.core.$ZodLooseShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ p: pageSchema, size: pageSizeSchema, ...order, ...filters });
}

/** The query of a call that finds rows by a keyword: as a list's, but without `size` the answer has all rows, as older clients expect. */
export function searchQuery<const Columns extends readonly string[], Filters extends z.core.$ZodLooseShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ keyword: keywordSchema, p: pageSchema, size: z.optional(anyPageSizeSchema), ...order, ...filters });
}

/** A search word in a query; an empty one lists everything. */
export const keywordSchema = z._default(z.string().check(z.trim(), z.maxLength(64)), "");

/** A text that older clients may send as null. */
export function textSchema(maxLength: number) {
  return z.pipe(
    z.transform((value) => value ?? ""),
    z.string().check(z.trim(), z.maxLength(maxLength)),
  );
}

/** Human checks' answers are up to 2048 characters long. */
const MAX_HUMAN_CHECK_LENGTH = 2_048;

/** What the human check in the browser answered; empty while it is not asked. */
export const turnstileSchema = z._default(z.string().check(z.maxLength(MAX_HUMAN_CHECK_LENGTH)), "");

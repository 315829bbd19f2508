import * as z from "zod/mini";
import { PAGE_SIZES } from "./constants.ts";

// In a query, a filter of 0 or an empty text selects all rows.

export const idSchema = z.coerce.number().check(z.int(), z.positive(), z.maximum(Number.MAX_SAFE_INTEGER));

export const idParamsSchema = z.object({ id: idSchema });

/** Ids as one text, separated by commas. `rows` names them in the error of too many. */
export function idsTextSchema(most: number, rows: string) {
  return z.string().check(
    z.regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/),
    z.refine((ids) => ids.split(",").length <= most, { message: `ids: name at most ${most} ${rows}.` }),
  );
}

/** An amount of quota: an integer, 500,000 to the dollar by default. */
export const quotaSchema = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** A time. 0: it has not come, or never does; fields with another meaning say so. */
export const unixSecondsSchema = z.int();

/** Page number from 0; below 0 is page 0. */
export const pageSchema = z.pipe(
  z._default(z.coerce.number().check(z.int(), z.maximum(1_000_000)), 0),
  z.transform((page) => Math.max(0, page)),
);

const anyPageSizeSchema = z.pipe(z.coerce.number<number>(), z.literal(PAGE_SIZES));

export const pageSizeSchema = z._default(anyPageSizeSchema, PAGE_SIZES[0]);

/** Without it numbers and times come descending, texts ascending. */
const directionSchema = z.optional(z.enum(["asc", "desc"]));

export type Direction = z.infer<typeof directionSchema>;

/** Column to sort by, from a closed list; `default` and empty are the list's own order. */
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
 * Query of a call that lists rows by page, with the call's own filters. Equal rows are ordered by id; a header has the
 * total.
 */
export function listQuery<const Columns extends readonly string[], Filters extends z.core.$ZodLooseShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ p: pageSchema, size: pageSizeSchema, ...order, ...filters });
}

/** Query of a call that finds rows by a keyword. Without `size` the answer has all rows, as older clients expect. */
export function searchQuery<const Columns extends readonly string[], Filters extends z.core.$ZodLooseShape>(
  columns: Columns,
  filters: Filters,
) {
  const order = { order: orderSchema(columns), direction: directionSchema };
  return z.object({ keyword: keywordSchema, p: pageSchema, size: z.optional(anyPageSizeSchema), ...order, ...filters });
}

/** Empty lists everything. */
export const keywordSchema = z._default(z.string().check(z.trim(), z.maxLength(64)), "");

/** A text that older clients may send as null. */
export function textSchema(maxLength: number) {
  return z.pipe(
    z.transform((value) => value ?? ""),
    z.string().check(z.trim(), z.maxLength(maxLength)),
  );
}

const MAX_HUMAN_CHECK_LENGTH = 2_048;

/** The browser's answer to the human check; empty if it is off. */
export const turnstileSchema = z._default(z.string().check(z.maxLength(MAX_HUMAN_CHECK_LENGTH)), "");

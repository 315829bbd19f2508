import type { Direction } from "@one-api/contract/fields";
import type { SelectQueryBuilder } from "kysely";

/** Which stretch of a list is asked for. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

/** In which order a list is asked for. */
interface ListOrder<Column extends string> {
  /** `default` is the newest first. */
  readonly order: "default" | Column;
  /** Without one, the order's own. */
  readonly direction?: Direction;
}

/** Which stretch of a list, in which order. */
export type OrderedPage<Column extends string> = ListPage & ListOrder<Column>;

/** Rows of a list, and how many there are in all. */
export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** A page as the query of a call names it: its number, from 0, and its size; without a size all rows are asked for, as older clients do. */
interface AskedPage {
  readonly p: number;
  readonly size?: number | undefined;
}

/** The answer ends here for clients that ask for no page: more would be a list to page through. */
const MOST_WITHOUT_PAGE = 1_000;

/** The stretch that a query asks for. */
export function pageOf({ p, size }: AskedPage): ListPage {
  return size === undefined ? { limit: MOST_WITHOUT_PAGE, offset: 0 } : { limit: size, offset: p * size };
}

/** The stretch that a query asks for, in its order. */
export function orderedPageOf<Column extends string>(asked: AskedPage & ListOrder<Column>): OrderedPage<Column> {
  return { ...pageOf(asked), order: asked.order, direction: asked.direction };
}

/** Answers the rows, with their number in the header. */
export function answerList<Row>({ rows, total }: Listed<Row>, setTotal: (total: number) => void): Row[] {
  setTotal(total);
  return rows;
}

/** How many rows the query finds. */
export async function countRows<Db, Table extends keyof Db>(
  query: SelectQueryBuilder<Db, Table, object>,
): Promise<number> {
  const counting = query.select((select) => select.fn.countAll<number>().as("total")).$castTo<{ total: number }>();
  return (await counting.executeTakeFirstOrThrow()).total;
}

import type { Direction } from "@one-api/contract/fields";
import type { SelectQueryBuilder } from "kysely";

export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

interface ListOrder<Column extends string> {
  readonly order: "default" | Column;
  readonly direction?: Direction;
}

export type OrderedPage<Column extends string> = ListPage & ListOrder<Column>;

export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

interface PageQuery {
  readonly p: number;
  readonly size?: number | undefined;
}

/** Upper bound of an answer without pages. Longer lists must be paged. */
const MOST_WITHOUT_PAGE = 1_000;

export function pageOf({ p, size }: PageQuery): ListPage {
  return size === undefined ? { limit: MOST_WITHOUT_PAGE, offset: 0 } : { limit: size, offset: p * size };
}

export function orderedPageOf<Column extends string>(asked: PageQuery & ListOrder<Column>): OrderedPage<Column> {
  return { ...pageOf(asked), order: asked.order, direction: asked.direction };
}

export function answerList<Row>({ rows, total }: Listed<Row>, setTotal: (total: number) => void): Row[] {
  setTotal(total);
  return rows;
}

export async function countRows<Db, Table extends keyof Db>(
  query: SelectQueryBuilder<Db, Table, object>,
): Promise<number> {
  const counting = query.select((select) => select.fn.countAll<number>().as("total")).$castTo<{ total: number }>();
  return (await counting.executeTakeFirstOrThrow()).total;
}

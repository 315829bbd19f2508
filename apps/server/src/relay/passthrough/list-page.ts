import { queryOf } from "../dialects/index.ts";
import type { PassthroughRequest } from "./forward.ts";

/** A page of a list of objects, as a caller of OpenAI's API asks for it. */
export interface AskedPage {
  /** The id of the last object that the caller has; empty for the first page. */
  readonly after: string;
  /** How many objects it may have, from 1. */
  readonly limit: number;
}

const MOST_LISTED = 100;

/** The page that is asked for: `usual` objects where the caller names no number, never more than a hundred. */
export function readAskedPage({ request }: PassthroughRequest, usual = MOST_LISTED): AskedPage {
  const query = new URLSearchParams(queryOf(request.url));
  const asked = Number(query.get("limit") ?? usual);
  const limit = Number.isInteger(asked) ? Math.min(MOST_LISTED, Math.max(1, asked)) : usual;
  return { after: query.get("after") ?? "", limit };
}

interface Listed<Row> {
  readonly idOf: (row: Row) => string;
  readonly present: (row: Row) => unknown;
}

/** A page in OpenAI's words, of rows of which one more than asked for says that more follow. */
export function presentPage<Row>(found: readonly Row[], { limit }: AskedPage, { idOf, present }: Listed<Row>) {
  const shown = found.slice(0, limit);
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    object: "list",
    data: shown.map(present),
    first_id: first === undefined ? null : idOf(first),
    last_id: last === undefined ? null : idOf(last),
    has_more: found.length > limit,
  };
}

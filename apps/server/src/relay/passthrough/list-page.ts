import { queryOf } from "../dialects/index.ts";
import type { PassthroughRequest } from "./forward.ts";

export interface PageRequest {
  /** Id of the last object that the caller has; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

const MAX_LISTED = 100;

/** `usual` objects by default, at most 100. */
export function readPageRequest({ request }: PassthroughRequest, usual = MAX_LISTED): PageRequest {
  const query = new URLSearchParams(queryOf(request.url));
  const wanted = Number(query.get("limit") ?? usual);
  const limit = Number.isInteger(wanted) ? Math.min(MAX_LISTED, Math.max(1, wanted)) : usual;
  return { after: query.get("after") ?? "", limit };
}

interface Listed<Row> {
  readonly idOf: (row: Row) => string;
  readonly present: (row: Row) => unknown;
}

/** Page in OpenAI's form. A row beyond the limit shows that more follow. */
export function presentPage<Row>(found: readonly Row[], { limit }: PageRequest, { idOf, present }: Listed<Row>) {
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

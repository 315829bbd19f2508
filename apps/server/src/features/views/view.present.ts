import { type SavedView, viewSearchSchema } from "@one-api/contract/view";
import type { ViewRow } from "./view.repository.ts";

/** `chosen` is the id of the user's default view. */
export function presentView(row: ViewRow, userId: number, chosen: number | undefined): SavedView {
  return {
    id: row.id,
    name: row.name,
    search: viewSearchSchema.parse(JSON.parse(row.search)),
    is_shared: row.is_shared === 1,
    is_own: row.user_id === userId,
    is_default: row.id === chosen,
  };
}

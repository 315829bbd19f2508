import * as calls from "@one-api/contract/view";
import { AppError } from "../../core/app-error.ts";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { saveView } from "./save-view.ts";
import { deleteViewRow, listViewRows } from "./view.repository.ts";

/** Hands in the calls on the caller's own views of lists. */
export function registerViewCalls(registry: CallRegistry): void {
  registry.register(calls.listViews, async ({ context, query }) => {
    const rows = await listViewRows(context.database.db, requireActor(context).id, query.page);
    return rows.map(({ id, name, search }) => ({ id, name, search: calls.viewSearchSchema.parse(JSON.parse(search)) }));
  });
  registry.register(calls.saveView, ({ context, body }) => saveView(context, body));
  registry.register(calls.deleteView, async ({ context, params }) => {
    const isDeleted = await deleteViewRow(context.database.db, requireActor(context).id, params.id);
    if (!isDeleted) throw new AppError("not-found", "There is no such view.");
    return null;
  });
}

import * as calls from "@one-api/contract/view";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { saveView } from "./save-view.ts";
import { chooseDefaultView, deleteOwnView, shareView } from "./share-view.ts";
import { presentView } from "./view.present.ts";
import { findDefaultView, listOwnViewRows, listSharedViewRows } from "./view.repository.ts";

export function registerViewCalls(registry: CallRegistry): void {
  registry.register(calls.listViews, async ({ context, query }) => {
    const { id } = requireActor(context);
    const { db } = context.database;
    const chosen = await findDefaultView(db, id, query.page);
    const rows = [...(await listOwnViewRows(db, id, query.page)), ...(await listSharedViewRows(db, id, query.page))];
    return rows.map((row) => presentView(row, id, chosen));
  });
  registry.register(calls.saveView, ({ context, body }) => saveView(context, body));
  registry.register(calls.deleteView, async ({ context, params }) => {
    await deleteOwnView(context, params.id);
    return null;
  });
  registry.register(calls.shareView, async ({ context, params, body }) => {
    await shareView(context, params.id, body.is_shared);
    return null;
  });
  registry.register(calls.chooseDefaultView, async ({ context, body }) => {
    await chooseDefaultView(context, body.page, body.id);
    return null;
  });
}

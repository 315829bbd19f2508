import { type SavedView, type saveView as saveViewCall, VIEW_LIMITS } from "@one-api/contract/view";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { recordSharing } from "./share-view.ts";
import { presentView } from "./view.present.ts";
import { findDefaultView, listOwnViewRows, putViewRow } from "./view.repository.ts";

type Input = z.output<NonNullable<(typeof saveViewCall)["body"]>>;

/** Saves the filters as a named view. Replaces a view of the same name. Throws `views-full`. */
export async function saveView(context: CallContext, { page, name, search }: Input): Promise<SavedView> {
  const { id: userId } = requireActor(context);
  const { row, chosen } = await inTransaction(context.database, async (transaction) => {
    const views = await listOwnViewRows(transaction, userId, page);
    if (views.length >= VIEW_LIMITS.views && !views.some((view) => view.name === name)) throw full();
    const created_at = nowSeconds(context.clock);
    const view = { user_id: userId, page, name, search: JSON.stringify(search), created_at };
    const saved = await putViewRow(transaction, view);
    if (saved.is_shared === 1) await recordSharing(transaction, context, saved, "view.share");
    return { row: saved, chosen: await findDefaultView(transaction, userId, page) };
  });
  return presentView(row, userId, chosen);
}

function full(): AppError {
  const { views } = VIEW_LIMITS;
  return new AppError("views-full", `You have ${views} views of this list. Delete one first.`, {
    values: { limit: views },
  });
}

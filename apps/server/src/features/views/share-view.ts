import type { ViewPage } from "@one-api/contract/view";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { deleteViewRow, findViewRow, type PagedViewRow, putDefaultView, shareViewRow } from "./view.repository.ts";

const PRESETS = "playground" satisfies ViewPage;

function presetStaysPrivate(): AppError {
  return new AppError("not-supported", "Presets of the playground cannot be shared.");
}

function viewNotFound(): AppError {
  return new AppError("not-found", "There is no such view.");
}

/**
 * Shares one of the caller's views, or makes any shared view private. Throws `not-found`, also for another
 * user's private view, and `not-supported` for a preset of the playground: it holds prompts.
 */
export async function shareView(context: CallContext, id: number, isShared: boolean): Promise<void> {
  const { id: userId } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const view = await findViewRow(transaction, id);
    if (view === undefined || (view.user_id !== userId && view.is_shared === 0)) throw viewNotFound();
    if (isShared && view.page === PRESETS) throw presetStaysPrivate();
    await shareViewRow(transaction, view, isShared);
    await recordSharing(transaction, context, view, isShared ? "view.share" : "view.unshare");
  });
}

/** Throws `not-found`. */
export async function deleteOwnView(context: CallContext, id: number): Promise<void> {
  const { id: userId } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const view = await deleteViewRow(transaction, userId, id);
    if (view === undefined) throw viewNotFound();
    if (view.is_shared === 1) await recordSharing(transaction, context, view, "view.unshare");
  });
}

export async function recordSharing(
  transaction: Queryable,
  context: CallContext,
  { id, page, name, search }: PagedViewRow,
  action: "view.share" | "view.unshare",
): Promise<void> {
  // A preset that an earlier release shared: the audit never holds prompts.
  const detail = page === PRESETS ? { page, name } : { page, name, search };
  await recordAudit(transaction, context, { action, object: `view:${id}`, detail });
}

/** Sets the caller's default view of a list, own or shared; 0 for none. Throws `not-found`. */
export async function chooseDefaultView(context: CallContext, page: string, id: number): Promise<void> {
  const { id: userId } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const view = id === 0 ? undefined : await findViewRow(transaction, id);
    const isSeen = view?.page === page && (view.user_id === userId || view.is_shared === 1);
    if (id !== 0 && !isSeen) throw viewNotFound();
    await putDefaultView(transaction, userId, page, view?.id);
  });
}

import type { AlertRule, listAlertTargets } from "@one-api/contract/notifications/alert-rule";
import type { z } from "zod";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { mailIsSetUp } from "../mail/index.ts";
import { listReceiverTargets } from "../notifications/index.ts";
import { findUser } from "../users/index.ts";
import { presentAlertRule } from "./alert-rule.present.ts";
import { listAlertRuleRows } from "./alert-rule.repository.ts";

export async function listAlertRules(context: CallContext): Promise<AlertRule[]> {
  const actor = requireActor(context);
  const rules = await listAlertRuleRows(context.database.db, actor.id, actorIsAdmin(actor));
  return rules.map((rule) => presentAlertRule(rule, actor.id));
}

/** Addresses of receivers are for root alone, so administrators see names and kinds. */
export async function listTargets(
  context: CallContext,
  options: OptionStore,
): Promise<z.output<(typeof listAlertTargets)["data"]>> {
  const actor = requireActor(context);
  const { db } = context.database;
  const receivers = actorIsAdmin(actor) ? await listReceiverTargets(db) : [];
  return {
    email: (await findUser(db, actor.id))?.email ?? "",
    can_mail: mailIsSetUp(options),
    receivers: receivers.map(({ id, name, kind }) => ({ id, name, kind })),
  };
}

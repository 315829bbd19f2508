import type { z } from "zod";
import type { sendTokenAlert as sendTokenAlertCall } from "@one-api/contract/token";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { amountText, type Mailer, tokenMail } from "../../mail/index.ts";
import { countRequest } from "../../verification/index.ts";
import { tokenNotFound } from "../token.policy.ts";
import { findTokenOf } from "../token.repository.ts";

const WINDOW_SECONDS = 3_600;
const ALERTS_PER_USER = 20;

interface AlertDeps {
  readonly options: OptionStore;
  readonly mailer: Mailer;
  readonly language: string | undefined;
}

/**
 * Mails the quota or the expiry of one of the caller's tokens to the token's address.
 * Throws `token-not-found`, `token-without-email`, `mail-not-set-up`, `mail-failed` and `too-many-requests`.
 */
export async function sendTokenAlert(
  context: CallContext,
  { id, alertType }: z.output<(typeof sendTokenAlertCall)["query"]>,
  { options, mailer, language }: AlertDeps,
): Promise<null> {
  const actor = requireActor(context);
  const token = await findTokenOf(context.database.db, actor.id, id);
  if (token === undefined) throw tokenNotFound();
  mailer.checkIsSetUp();
  if (token.email === "") {
    const message = "The token has no e-mail address. Edit it and fill in the address first.";
    throw new AppError("token-without-email", message, { field: "email" });
  }
  const limit = { subject: `alert:${actor.id}`, most: ALERTS_PER_USER, windowSeconds: WINDOW_SECONDS };
  await countRequest(context.database, [limit], nowSeconds(context.clock));
  const left = token.unlimited_quota === 1 ? undefined : amountText(options, token.remain_quota);
  const facts = { token: token.name, left, expiresAt: token.expired_time };
  const occasion = alertType === "balance" ? "balance" : "expiry";
  await mailer.send({ to: token.email, message: tokenMail(options.text("SystemName"), occasion, facts, language) });
  const detail = { name: token.name, alert: alertType, email: token.email };
  await recordAudit(context.database.db, context, { action: "token.send-alert", object: `token:${id}`, detail });
  return null;
}

import type { PasskeyAnswer, SecondFactor } from "@one-api/contract/accounts/factor";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import type { OptionStore } from "../../core/option-store.ts";
import {
  endLoginStep,
  relyingPartyOf,
  loginStepOver,
  tryLoginStep,
  takeFactorCode,
  takePasskey,
  wrongCode,
} from "../factors/index.ts";
import { findAccount } from "../users/index.ts";
import { countRequest } from "../verification/index.ts";
import { type EnteringBrowser, startAccountSession } from "./enter-account.ts";
import { countLogin } from "./count-login.ts";
import { recordRefusal } from "./record-refusal.ts";

const SECOND_STEP = { step: "second-factor" } as const;

const PASSKEY_TRIES = { most: 60, windowSeconds: 600 } as const;

/**
 * Completes the second step with a code of the authenticator app or a recovery code.
 * Throws `login-step-over`, `factor-code-wrong`, `too-many-requests` and `account-disabled`.
 */
export async function finishLogin(context: CallContext, code: string, browser: EnteringBrowser): Promise<SessionUser> {
  const step = await tryLoginStep(context, browser.stepCookie, ["second-step"]);
  if (step === undefined) throw loginStepOver();
  await countLogin(context.database.db, nowSeconds(context.clock), true);
  if (!(await takeFactorCode(context, step.userId, code))) {
    await recordRefusal(context, step.userId, SECOND_STEP);
    throw wrongCode();
  }
  const isDigits = /^\d+$/.test(code.replaceAll(/[\s-]/g, ""));
  return enter(context, step.userId, { browser, factor: isDigits ? "totp" : "recovery" });
}

/**
 * Logs in with a passkey, or completes a second step with it. A passkey that verifies its user counts as two
 * factors.
 * Throws `login-step-over`, `passkey-unknown`, `passkey-refused`, `too-many-requests` and `account-disabled`.
 */
export async function logInWithPasskey(
  context: CallContext,
  answer: PasskeyAnswer,
  browser: EnteringBrowser,
  { options, host }: { readonly options: OptionStore; readonly host: string },
): Promise<SessionUser> {
  await countPasskeyTry(context);
  const step = await tryLoginStep(context, browser.stepCookie, ["second-step", "passkey-login"]);
  if (step === undefined || step.challenge === "") throw loginStepOver();
  await countLogin(context.database.db, nowSeconds(context.clock), step.userId !== 0);
  const party = relyingPartyOf(options, host);
  const passkey = await takePasskey(context, answer, { challenge: step.challenge, party });
  if (step.userId !== 0 && step.userId !== passkey.user_id) {
    await recordRefusal(context, step.userId, SECOND_STEP);
    throw new AppError("passkey-refused", "This passkey is of another account.");
  }
  return enter(context, passkey.user_id, { browser, factor: "passkey" });
}

/** Limits passkey requests and answers: both cost work, and anybody may send them. */
export async function countPasskeyTry({ database, address, clock }: CallContext): Promise<void> {
  const subject = `passkey:${networkOfAddress(address)}`;
  await countRequest(database, [{ ...PASSKEY_TRIES, subject }], nowSeconds(clock));
}

async function enter(
  context: CallContext,
  userId: number,
  { browser, factor }: { readonly browser: EnteringBrowser; readonly factor: SecondFactor | "recovery" },
): Promise<SessionUser> {
  const user = await findAccount(context.database.db, userId);
  if (user === undefined) throw loginStepOver();
  const beforehand = async (transaction: Parameters<typeof endLoginStep>[0]) => {
    // Of concurrent answers one logs in. A step that ended meanwhile, for example by a new password, is
    // refused.
    if (!(await endLoginStep(transaction, browser.stepCookie))) throw loginStepOver();
  };
  const entered = await startAccountSession(context, user, { browser, factor, beforehand });
  browser.stepCookie.clear();
  return entered;
}

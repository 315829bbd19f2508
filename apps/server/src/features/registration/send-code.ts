import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { Logger } from "pino";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { writeLog } from "../logs/index.ts";
import { addressTakenMail, codeMail, type Mailer, resetMail } from "../mail/index.ts";
import { findUsersByEmail } from "../users/index.ts";
import { checkHuman, countRequest, createEmailCode, isWithinLimit } from "../verification/index.ts";
import { checkEmailDomain } from "./email.policy.ts";
import { mayResetByMail } from "./reset-password.ts";

const WINDOW_SECONDS = 600;
/** Mails from one network to one address, so that one network cannot use up another's share. */
const MAILS_PER_NETWORK_AND_ADDRESS = 5;
const MAILS_PER_NETWORK = 30;
/** Mails from all networks to one address. Earlier codes and links stay valid, so reaching it causes no lockout. */
const MAILS_PER_ADDRESS = 60;

export interface CodeDeps {
  readonly options: OptionStore;
  readonly mailer: Mailer;
  readonly log: Logger;
}

interface MailRequest {
  readonly email: string;
  readonly turnstile: string;
  readonly language: string | undefined;
}

/**
 * Mails a code. The owner of a registered address gets another mail, so the caller sees no difference.
 * Throws `mail-not-set-up`, `mail-failed`, `email-domain-refused`, `too-many-requests` and the refusals of
 * the human check.
 */
export async function sendCode(context: CallContext, request: MailRequest, deps: CodeDeps): Promise<void> {
  const { options, mailer } = deps;
  await admit(context, request, deps);
  checkEmailDomain(options, request.email);
  // No code without a mail: it could only be guessed, from many networks.
  if (await mayGet(context, request.email)) {
    const code = await createEmailCode(context, "address", request.email);
    const isTaken = (await findUsersByEmail(context.database.db, request.email)).length > 0;
    const system = options.text("SystemName");
    const message = isTaken ? addressTakenMail(system, request.language) : codeMail(system, code, request.language);
    await mailer.send({ to: request.email, message });
  }
  await recordAudit(context.database.db, context, { action: "mail.send-code", object: `mail:${request.email}` });
}

/**
 * Mails a reset link after the answer, which must not reveal whether the account exists. The link begins with
 * ServerAddress only.
 * Throws `login-by-password-off`, `server-address-missing`, `mail-not-set-up`, `too-many-requests` and the
 * refusals of the human check.
 */
export async function sendReset(context: CallContext, request: MailRequest, deps: CodeDeps): Promise<void> {
  const { options } = deps;
  if (!options.flag("PasswordLoginEnabled"))
    throw new AppError("login-by-password-off", "Login by password is turned off. Use another way to log in.");
  if (options.text("ServerAddress") === "") {
    const message =
      "The server's address is not set. An administrator has to set ServerAddress in the system settings.";
    throw new AppError("server-address-missing", message);
  }
  await admit(context, request, deps);
  const token = await createEmailCode(context, "password-reset", request.email);
  await recordAudit(context.database.db, context, { action: "mail.send-reset", object: `mail:${request.email}` });
  // After the answer, so that its timing does not depend on the account.
  setImmediate(() => void tryMailReset(context, request, token, deps));
}

/** Logs a failure for administrators, as no caller waits for the result. */
async function tryMailReset(context: CallContext, request: MailRequest, token: string, deps: CodeDeps): Promise<void> {
  await mailReset(context, request, token, deps).catch(async (error: unknown) => {
    const { log } = deps;
    log.error({ err: error }, "a reset mail failed");
    const reason = error instanceof Error ? error.message : String(error);
    const content = `A password reset mail failed. ${reason}`;
    const event = { code: "reset-mail-failed", values: { said: reason } } as const;
    const entry = { created_at: nowSeconds(context.clock), type: LOG_TYPE.system, content, event };
    await writeLog(context.database.db, entry).catch((second: unknown) =>
      log.error({ err: second }, "the failure could not be recorded"),
    );
  });
}

async function mailReset(
  { database, clock }: CallContext,
  { email, language }: MailRequest,
  token: string,
  { options, mailer }: CodeDeps,
): Promise<void> {
  const [user, another] = await findUsersByEmail(database.db, email);
  if (user === undefined || another !== undefined || !mayResetByMail(user)) return;
  if (!(await mayGet({ database, clock }, email))) return;
  const query = new URLSearchParams({ email, token });
  const link = `${options.text("ServerAddress")}/user/reset?${query.toString()}`;
  await mailer.send({ to: email, message: resetMail(options.text("SystemName"), link, language) });
}

async function admit(context: CallContext, { email, turnstile }: MailRequest, { options, mailer }: CodeDeps) {
  mailer.checkIsSetUp();
  const network = networkOfAddress(context.address);
  const limits = [
    // First, so that requests for many addresses do not create a count for each.
    { subject: `mails:${network}`, most: MAILS_PER_NETWORK, windowSeconds: WINDOW_SECONDS },
    { subject: `mail:${network}:${email}`, most: MAILS_PER_NETWORK_AND_ADDRESS, windowSeconds: WINDOW_SECONDS },
  ];
  await countRequest(context.database, limits, nowSeconds(context.clock));
  await checkHuman(options, turnstile, context.address);
}

function mayGet({ database, clock }: Pick<CallContext, "database" | "clock">, email: string): Promise<boolean> {
  const limit = { subject: `mails-to:${email}`, most: MAILS_PER_ADDRESS, windowSeconds: WINDOW_SECONDS };
  return isWithinLimit(database.db, limit, nowSeconds(clock));
}

import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import { isRoot } from "@one-api/contract/accounts/roles";
import type { LoginInput, SessionUser } from "@one-api/contract/accounts/user";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { isLoopbackHost } from "../../platform/network/loopback-host.ts";
import type { OptionStore } from "../../core/option-store.ts";
import {
  type LoginRow,
  type PasswordHasher,
  findUserForLogin,
  isBcryptHash,
  replacePasswordHash,
} from "../users/index.ts";
import { enterAccount, type EnteringBrowser } from "./enter-account.ts";
import { checkHuman } from "../verification/index.ts";
import { knownDeviceOf } from "./login-device.ts";
import { countAttempt, releaseAttempt, needsHumanCheck } from "./login-throttle.ts";
import { recordRefusal } from "./record-refusal.ts";

interface LoginAnswer extends LoginInput {
  readonly turnstile: string;
}

interface LoginDeps extends EnteringBrowser {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  readonly host: string;
}

/**
 * Checks the password and starts a session. `account-disabled` follows only a right password, the human check
 * three failures.
 * Throws also `wrong-credentials`, `login-throttled`, `login-by-password-off`, `login-default-password-host`
 * and `too-many-requests`.
 */
export async function logIn(context: CallContext, input: LoginAnswer, deps: LoginDeps): Promise<SessionUser> {
  if (!deps.options.flag("PasswordLoginEnabled")) {
    throw new AppError("login-by-password-off", "Login by password is turned off. Use another way to log in.");
  }
  const user = await verifyPassword(context, input, deps);
  return enterAccount(context, user, deps);
}

async function verifyPassword(context: CallContext, input: LoginAnswer, deps: LoginDeps): Promise<LoginRow> {
  const { database, address, clock } = context;
  const { hasher, host, options } = deps;
  const user = await findUserForLogin(database.db, input.username);
  // Before the password is checked, so that the refusal does not reveal whether it is still the default.
  if (isRoot(user?.role) && input.password === DEFAULT_ROOT_PASSWORD) {
    refuseForeignHost(host, options.text("ServerAddress"));
  }
  const name = input.username;
  const device = user && knownDeviceOf(context, deps.deviceCookie, user);
  const attempt = { name, account: user?.username ?? name, address, device, now: nowSeconds(clock) };
  if (options.flag("TurnstileCheckEnabled") && (await needsHumanCheck(database, attempt)))
    await checkHuman(options, input.turnstile, address);
  const mayTry = await countAttempt(database, attempt);
  const right = await hasher.verify(input.password, mayTry ? user?.password_hash : undefined);
  if (user === undefined || !right) {
    await recordRefusal(context, user?.id, mayTry ? {} : { throttled: true });
    throw new AppError("wrong-credentials", "The username or the password is wrong.");
  }
  await releaseAttempt(database, attempt, user);
  return renewHash(context, user, input.password, hasher);
}

/** Rehashes an imported bcrypt password once it is known. */
async function renewHash(
  { database }: CallContext,
  user: LoginRow,
  password: string,
  hasher: PasswordHasher,
): Promise<LoginRow> {
  if (!isBcryptHash(user.password_hash)) return user;
  const password_hash = await hasher.hash(password);
  await replacePasswordHash(database.db, user.id, user.password_hash, password_hash);
  return { ...user, password_hash };
}

/** Prevents DNS rebinding: a web page that resolves its name to this machine also knows the default password. */
function refuseForeignHost(host: string, serverAddress: string): void {
  const named = `http://${host}`;
  const name = URL.canParse(named) ? new URL(named).hostname.replace(/^\[|\]$/g, "") : "";
  if (isLoopbackHost(name) || (serverAddress !== "" && new URL(serverAddress).host === host)) return;
  throw new AppError(
    "login-default-password-host",
    "While root has the default password, it only works on this machine: open http://localhost, or the address set as ServerAddress, log in there and change the password.",
  );
}

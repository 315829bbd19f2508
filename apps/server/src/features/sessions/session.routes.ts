import type { Call } from "@one-api/contract/call";
import * as factors from "@one-api/contract/accounts/factor";
import * as sessions from "@one-api/contract/accounts/session";
import { login, logout } from "@one-api/contract/accounts/user";
import type { CallInput, CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { askLoginPasskey } from "../factors/index.ts";
import type { PasswordHasher } from "../users/index.ts";
import type { EnteringBrowser } from "./enter-account.ts";
import { countPasskeyTry, finishLogin, logInWithPasskey } from "./finish-login.ts";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";
import { endAllSessions, endSession, listSessions } from "./own-sessions.ts";

interface SessionCallDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
}

export function registerSessionCalls(registry: CallRegistry, deps: SessionCallDeps): void {
  registry.register(login, (input) =>
    logIn(input.context, { ...input.body, ...input.query }, { ...deps, ...browserOf(input), host: hostOf(input) }),
  );
  registry.register(factors.finishLogin, (input) => finishLogin(input.context, input.body.code, browserOf(input)));
  registry.register(factors.askLoginPasskey, async (input) => {
    const { context, body, stepCookie } = input;
    await countPasskeyTry(context);
    return askLoginPasskey(context, body.is_second_step, { ...deps, stepCookie, host: hostOf(input) });
  });
  registry.register(factors.logInWithPasskey, (input) =>
    logInWithPasskey(input.context, input.body, browserOf(input), { ...deps, host: hostOf(input) }),
  );
  registry.register(logout, async ({ context, cookie }) => {
    await logOut(context, cookie);
    return null;
  });
  registry.register(sessions.listSessions, ({ context, cookie }) => listSessions(context, cookie));
  registry.register(sessions.endSession, async ({ context, params }) => {
    await endSession(context, params.id);
    return null;
  });
  registry.register(sessions.endAllSessions, async ({ context, cookie }) => {
    await endAllSessions(context, cookie);
    return null;
  });
}

export function browserOf({
  cookie,
  stepCookie,
  deviceCookie,
  header,
}: Pick<CallInput<Call>, "cookie" | "stepCookie" | "deviceCookie" | "header">): EnteringBrowser {
  return { cookie, stepCookie, deviceCookie, userAgent: header("user-agent") ?? "" };
}

function hostOf({ header }: Pick<CallInput<Call>, "header">): string {
  return header("host") ?? "";
}

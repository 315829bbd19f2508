import { login, logout } from "@one-api/contract/user";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { PasswordHasher } from "../users/index.ts";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";

interface SessionCallDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
}

/** Hands in login and logout. */
export function registerSessionCalls(registry: CallRegistry, deps: SessionCallDeps): void {
  registry.register(login, ({ context, body, cookie, header }) =>
    logIn(context, body, { ...deps, cookie, userAgent: header("user-agent") ?? "", host: header("host") ?? "" }),
  );
  registry.register(logout, async ({ context, cookie }) => {
    await logOut(context, cookie);
    return null;
  });
}

import * as calls from "@one-api/contract/accounts/registration";
import type { CallContext } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import { requireFreshProof } from "../factors/index.ts";
import type { PasswordHasher } from "../users/index.ts";
import { readInvitation } from "./read-invitation.ts";
import { checkHuman, countRequest } from "../verification/index.ts";
import type { AccountDeps } from "./create-account.ts";
import { bindEmail, deleteSelf, getInviteCode } from "./own-account.ts";
import { registerUser } from "./register-user.ts";
import { resetPassword } from "./reset-password.ts";
import { type CodeDeps, sendCode, sendReset } from "./send-code.ts";

const WINDOW_SECONDS = 600;
const TRIES_PER_NETWORK = 30;

interface RegistrationCallDeps extends AccountDeps, CodeDeps {
  readonly hasher: PasswordHasher;
}

export function registerRegistrationCalls(registry: CallRegistry, deps: RegistrationCallDeps): void {
  registry.register(calls.register, async ({ context, query, body }) => {
    await countTry(context, "register");
    await checkHuman(deps.options, query.turnstile, context.address);
    await registerUser(context, body, deps);
    return null;
  });
  registry.register(calls.readInvitation, async ({ context, query }) => {
    await countTry(context, "invitation");
    return readInvitation(context, deps.options, query.code);
  });
  registry.register(calls.sendVerificationCode, async ({ context, query, header }) => {
    await sendCode(context, { ...query, language: header("accept-language") }, deps);
    return null;
  });
  registry.register(calls.sendPasswordReset, async ({ context, query, header }) => {
    await sendReset(context, { ...query, language: header("accept-language") }, deps);
    return null;
  });
  registry.register(calls.resetPassword, async ({ context, body }) => {
    await countTry(context, "reset");
    return resetPassword(context, body, deps);
  });
  registry.register(calls.getInviteCode, ({ context }) => getInviteCode(context));
  registry.register(calls.bindEmail, async ({ context, query, cookie }) => {
    await requireFreshProof(context, cookie.value);
    await bindEmail(context, deps.options, query);
    return null;
  });
  registry.register(calls.deleteSelf, async ({ context, cookie }) => {
    await deleteSelf(context, cookie);
    return null;
  });
}

async function countTry({ database, address, clock }: CallContext, kind: string): Promise<void> {
  const subject = `${kind}:${networkOfAddress(address)}`;
  const limit = { subject, most: TRIES_PER_NETWORK, windowSeconds: WINDOW_SECONDS };
  await countRequest(database, [limit], nowSeconds(clock));
}

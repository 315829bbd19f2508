import * as calls from "@one-api/contract/oauth";
import type { CallContext } from "../../core/call-context.ts";
import type { CallInput, CallRegistry } from "../../core/call-registry.ts";
import { nowSeconds } from "../../core/clock.ts";
import { networkOfAddress } from "../../core/network-of-address.ts";
import type { AccountDeps } from "../registration/index.ts";
import { browserOf } from "../sessions/index.ts";
import { countRequest } from "../verification/index.ts";
import { bindProfile, enterWithProfile } from "./enter-with-provider.ts";
import { consumeOAuthState, createOAuthState } from "./oauth-state.ts";
import { readGitHubProfile, readLarkProfile, type ReadProfile, readWeChatProfile } from "./provider-profiles.ts";

const WINDOW_SECONDS = 600;
const TRIES_PER_NETWORK = 60;

/** Hands in the logins and bindings with GitHub, Lark and WeChat. */
export function registerOAuthCalls(registry: CallRegistry, deps: AccountDeps): void {
  registry.register(calls.getOAuthState, ({ context, browserCookie }) => createOAuthState(context, browserCookie));
  registry.register(calls.enterWithGitHub, (input) => comeBack(input, deps, readGitHubProfile));
  registry.register(calls.enterWithLark, (input) => comeBack(input, deps, readLarkProfile));
  registry.register(calls.enterWithWeChat, async (input) => {
    await countTry(input.context);
    const profile = await readWeChatProfile(deps.options, input.query.code);
    return enterWithProfile(input.context, deps, profile, browserOf(input));
  });
  registry.register(calls.bindWeChat, async ({ context, query }) => {
    await countTry(context);
    await bindProfile(context, await readWeChatProfile(deps.options, query.code));
    return null;
  });
}

/** The way back from a provider: a binding for who is logged in, else a login. */
async function comeBack(
  input: CallInput<typeof calls.enterWithGitHub | typeof calls.enterWithLark>,
  deps: AccountDeps,
  readProfile: ReadProfile,
) {
  const { context, query, browserCookie, setMessage } = input;
  await countTry(context);
  await consumeOAuthState(context, browserCookie, query.state);
  const profile = await readProfile(deps.options, query.code);
  if (context.actor === undefined) return enterWithProfile(context, deps, profile, browserOf(input));
  await bindProfile(context, profile);
  setMessage(calls.BIND_MESSAGE);
  return null;
}

async function countTry({ database, address, clock }: CallContext): Promise<void> {
  const subject = `oauth:${networkOfAddress(address)}`;
  const limit = { subject, most: TRIES_PER_NETWORK, windowSeconds: WINDOW_SECONDS };
  await countRequest(database, [limit], nowSeconds(clock));
}

import { unbind as unbindCall } from "@one-api/contract/accounts/binding";
import * as calls from "@one-api/contract/accounts/oauth";
import type { CallContext } from "../../core/call-context.ts";
import type { CallInput, CallRegistry } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import { requireFreshProof } from "../factors/index.ts";
import { lookupOfInvitation } from "../invitations/index.ts";
import type { AccountDeps } from "../registration/index.ts";
import { browserOf } from "../sessions/index.ts";
import { countRequest } from "../verification/index.ts";
import { bindProfile, enterWithProfile } from "./enter-with-provider.ts";
import { consumeOAuthState, createOAuthState } from "./oauth-state.ts";
import { beginOpenIdLogin, openIdStateKind, readOpenIdProfile } from "./openid-login.ts";
import { createOpenIdDirectory } from "./openid-provider.ts";
import { type ProviderProfile, readGitHubProfile, readLarkProfile, readWeChatProfile } from "./provider-profiles.ts";

import { unbind } from "./unbind.ts";

const WINDOW_SECONDS = 600;
const TRIES_PER_NETWORK = 60;

export function registerOAuthCalls(registry: CallRegistry, deps: AccountDeps): void {
  const { options } = deps;
  const openId = { options, find: createOpenIdDirectory() };
  registry.register(calls.getOAuthState, async ({ context, browserCookie, query }) => {
    await countTry(context);
    return createOAuthState(context, browserCookie, query);
  });
  // Clients that do not name a provider may return from GitHub or Lark.
  registry.register(calls.enterWithGitHub, (input) =>
    handleCallback(input, deps, ["", "github"], () => readGitHubProfile(options, input.query.code)),
  );
  registry.register(calls.enterWithLark, (input) =>
    handleCallback(input, deps, ["", "lark"], () => readLarkProfile(options, input.query.code)),
  );
  registry.register(calls.beginOidc, async ({ context, browserCookie, body }) => {
    await countTry(context);
    return beginOpenIdLogin(context, openId, browserCookie, body.invitation);
  });
  registry.register(calls.enterWithOidc, (input) =>
    handleCallback(input, deps, [openIdStateKind(options)], () =>
      readOpenIdProfile(input.context, openId, input.query),
    ),
  );
  registry.register(calls.enterWithWeChat, async (input) => {
    const { context, query } = input;
    await countTry(context);
    const profile = await readWeChatProfile(options, query.code);
    const invitation = lookupOfInvitation(context, query.invitation);
    return enterWithProfile(context, deps, profile, { browser: browserOf(input), invitation });
  });
  registry.register(calls.bindWeChat, async ({ context, query, cookie }) => {
    await countTry(context);
    await requireFreshProof(context, cookie.value);
    await bindProfile(context, options, await readWeChatProfile(options, query.code));
    return null;
  });
  registry.register(unbindCall, async ({ context, params, cookie }) => {
    await requireFreshProof(context, cookie.value);
    await unbind(context, options, params.binding);
    return null;
  });
}

async function handleCallback(
  input: CallInput<typeof calls.enterWithGitHub | typeof calls.enterWithLark | typeof calls.enterWithOidc>,
  deps: AccountDeps,
  stateKinds: readonly string[],
  readProfile: () => Promise<ProviderProfile>,
) {
  const { context, query, browserCookie, setMessage, cookie } = input;
  await countTry(context);
  // First, so that the state and the code remain valid for a second call after the proof.
  if (context.actor !== undefined) await requireFreshProof(context, cookie.value);
  const invitation = await consumeOAuthState(context, browserCookie, query.state, stateKinds);
  const profile = await readProfile();
  if (context.actor === undefined)
    return enterWithProfile(context, deps, profile, { browser: browserOf(input), invitation });
  await bindProfile(context, deps.options, profile);
  setMessage(calls.BIND_MESSAGE);
  return null;
}

async function countTry({ database, address, clock }: CallContext): Promise<void> {
  const subject = `oauth:${networkOfAddress(address)}`;
  const limit = { subject, most: TRIES_PER_NETWORK, windowSeconds: WINDOW_SECONDS };
  await countRequest(database, [limit], nowSeconds(clock));
}

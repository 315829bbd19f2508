import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import {
  createAccessToken as createAccessTokenCall,
  getAccessTokenState as getAccessTokenStateCall,
  getAvailableModels,
  getSelf,
  listGroups,
  listOwnGroups,
  revokeAccessToken as revokeAccessTokenCall,
  updateSelf as updateSelfCall,
} from "@one-api/contract/accounts/user";
import { AppError } from "../../core/app-error.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { createAccessToken, getAccessTokenState, revokeAccessToken } from "./access-token.ts";
import { mailLanguage } from "../mail/index.ts";
import { createModelAliases, withAliases } from "../model-aliases/index.ts";
import { storeLanguage } from "./reminders/low-quota.repository.ts";
import { findBudgetOfGroups } from "../budgets/index.ts";
import { groupsOfUser } from "../../core/actor.ts";
import { presentUser } from "./user.present.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { type EndSessions, type RequireProof, updateSelf } from "./update-self.ts";
import { findUser, listModelsOfGroups } from "./user.repository.ts";

interface UserCallDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
  readonly requireProof: RequireProof;
}

export function registerUserCalls(registry: CallRegistry, deps: UserCallDeps): void {
  const { options, requireProof } = deps;
  registry.register(getSelf, async ({ context, header }) => {
    const { db } = context.database;
    const { id, via } = requireActor(context);
    const user = await findUser(db, id);
    if (user === undefined) throw new AppError("not-logged-in", "Log in first.");
    // The console sends its language, which unrequested mails use.
    const language = header("accept-language");
    if (language !== undefined && via === "session") await storeLanguage(db, user.id, mailLanguage(language));
    const now = nowSeconds(context.clock);
    const groupBudget = await findBudgetOfGroups(db, groupsOfUser(user.group), now);
    return { ...presentUser(user, { options, now }), group_budget: groupBudget };
  });
  registry.register(updateSelfCall, async ({ context, body, cookie }) => {
    await updateSelf(context, body, { ...deps, sessionId: cookie.value });
    return null;
  });
  registry.register(createAccessTokenCall, async ({ context, cookie }) => {
    // A token that replaces itself gains no rights.
    if (requireActor(context).via !== "access-token") await requireProof(context, cookie.value);
    return createAccessToken(context, options);
  });
  registry.register(getAccessTokenStateCall, ({ context }) => getAccessTokenState(context));
  registry.register(revokeAccessTokenCall, async ({ context }) => {
    await revokeAccessToken(context);
    return null;
  });
  const aliases = createModelAliases(options);
  registry.register(getAvailableModels, async ({ context }) => {
    const groups = groupsOfUser(requireActor(context).group);
    const models = await listModelsOfGroups(context.database.db, groups, CHANNEL_STATUS.enabled);
    return withAliases(aliases, models).sort();
  });
  registry.register(listOwnGroups, async ({ context }) => {
    const ratios = options.ratios("GroupRatio");
    return groupsOfUser(requireActor(context).group).map((group) => ({ group, ratio: ratios.get(group) ?? 1 }));
  });
  registry.register(listGroups, async () => [...options.ratios("GroupRatio").keys()].sort());
}

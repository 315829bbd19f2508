import { CHANNEL_STATUS } from "@one-api/contract/channel";
import {
  createAccessToken as createAccessTokenCall,
  getAvailableModels,
  getSelf,
  updateSelf as updateSelfCall,
} from "@one-api/contract/user";
import { AppError } from "../../core/app-error.ts";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { createAccessToken } from "./create-access-token.ts";
import { groupsOfUser } from "./groups-of-user.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { type EndSessions, updateSelf } from "./update-self.ts";
import { presentUser } from "./user.present.ts";
import { findUser, listModelsOfGroups } from "./user.repository.ts";

interface UserCallDeps {
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
}

/** Hands in the calls about one's own user. */
export function registerUserCalls(registry: CallRegistry, { hasher, endSessions }: UserCallDeps): void {
  registry.register(getSelf, async ({ context }) => {
    const user = await findUser(context.database.db, requireActor(context).id);
    if (user === undefined) throw new AppError("not-logged-in", "Log in first.");
    return presentUser(user);
  });
  registry.register(updateSelfCall, async ({ context, body, cookie }) => {
    await updateSelf(context, body, { hasher, endSessions, sessionId: cookie.value });
    return null;
  });
  registry.register(createAccessTokenCall, ({ context }) => createAccessToken(context));
  registry.register(getAvailableModels, ({ context }) =>
    listModelsOfGroups(context.database.db, groupsOfUser(requireActor(context).group), CHANNEL_STATUS.enabled),
  );
}

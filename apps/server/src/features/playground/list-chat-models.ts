import { setImmediate as nextTurn } from "node:timers/promises";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { splitList } from "@one-api/contract/texts";
import type { ChatModel, ChatParameter } from "@one-api/contract/playground";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { findOwnToken } from "../tokens/index.ts";
import { groupsOfUser } from "../../core/actor.ts";
import { listModelsOfGroups } from "../users/index.ts";

export interface ChatFacts {
  chatParameters(model: string): readonly ChatParameter[] | undefined;
  maxOutputTokens(model: string): number | undefined;
}

/** The lookup of an unknown name takes milliseconds, so requests run in between. */
const MODELS_PER_SLICE = 5;

/**
 * Chat models that the caller's token may use, sorted by name. Throws `token-not-found`, also for another
 * user's token.
 */
export async function listChatModels(context: CallContext, facts: ChatFacts, tokenId: number): Promise<ChatModel[]> {
  const { db } = context.database;
  const { group } = requireActor(context);
  const allowed = splitList((await findOwnToken(context, tokenId)).models);
  const callable = await listModelsOfGroups(db, groupsOfUser(group), CHANNEL_STATUS.enabled);
  const models: ChatModel[] = [];
  for (const [index, model] of callable.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const parameters = facts.chatParameters(model);
    if (parameters === undefined || (allowed.length > 0 && !allowed.includes(model))) continue;
    models.push({ model, parameters: [...parameters], max_output_tokens: facts.maxOutputTokens(model) ?? null });
  }
  return models;
}

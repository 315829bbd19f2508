import * as calls from "@one-api/contract/playground";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type ChatFacts, listChatModels } from "./list-chat-models.ts";

export type { ChatFacts };

export function registerPlaygroundCalls(registry: CallRegistry, facts: ChatFacts): void {
  registry.register(calls.listChatModels, ({ context, query }) => listChatModels(context, facts, query.token));
}

import type { FieldEdits } from "../../format.ts";
import { isSeal } from "../../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { mayThinkByBudget } from "../claude-reasoning.ts";
import { readRequest } from "./read-request.ts";

/** Removes the thoughts of other providers, and a thinking budget that Anthropic would refuse without them. */
export function unseal(body: JsonRecord): FieldEdits {
  const messages = listOf(body.messages).flatMap(withoutSeals);
  const fields = new Map<string, string | undefined>([["messages", JSON.stringify(messages)]]);
  const isByBudget = recordOf(body.thinking).type === "enabled";
  if (isByBudget && !mayThinkByBudget(readRequest({ ...body, messages }).messages)) fields.set("thinking", undefined);
  return fields;
}

function withoutSeals(message: unknown): readonly unknown[] {
  const { content } = recordOf(message);
  if (!isRecord(message) || !Array.isArray(content)) return [message];
  const kept = listOf(content).filter((block) => !isSealed(recordOf(block)));
  return kept.length === 0 && content.length > 0 ? [] : [{ ...message, content: kept }];
}

function isSealed({ type, signature, data }: JsonRecord): boolean {
  return (type === "thinking" && isSeal(textOf(signature))) || (type === "redacted_thinking" && isSeal(textOf(data)));
}

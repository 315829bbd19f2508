import type { Drop } from "../../neutral/chat-request.ts";
import type { MessagePart, ToolCallPart, ToolResultPart } from "../../neutral/message-part.ts";
import { textOfParts, type Turns } from "../../neutral/take-turns.ts";
import { refuseMedia } from "../../neutral/texts-alone.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";

/**
 * Writes `messages`. Baidu wants one call per message, directly followed by its result, so parallel calls become sequential. The user's text
 * is joined with the result before it.
 */
export function writeMessages(turns: Turns["turns"], drop: Drop): readonly JsonRecord[] {
  const parts = turns.flatMap((turn) => turn.parts);
  refuseMedia(parts);
  const results = new Map(parts.flatMap((part) => (part.type === "tool-result" ? [[part.callId, part] as const] : [])));
  const written: JsonRecord[] = [];
  for (const turn of turns) {
    if (turn.role === "assistant") {
      written.push(...writeAssistant(turn.parts, results, drop));
      continue;
    }
    // Results among these messages have followed their calls already.
    const said = textOfParts(turn.parts);
    const last = written.at(-1);
    if (last?.role === "function") {
      written[written.length - 1] = {
        ...last,
        content: [last.content, said].filter((text) => text !== "").join("\n\n"),
      };
    } else if (said !== "") {
      written.push({ role: "user", content: said });
    }
  }
  return written;
}

function writeAssistant(
  parts: readonly MessagePart[],
  results: ReadonlyMap<string, ToolResultPart>,
  drop: Drop,
): readonly JsonRecord[] {
  const calls = parts.filter((part) => part.type === "tool-call");
  const thoughts = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  if (thoughts !== "" && calls.length === 0) drop("messages.reasoning");
  const content = textOfParts(parts);
  if (calls.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  return calls.flatMap((call, index): readonly JsonRecord[] => {
    const isFirst = index === 0;
    const asked = { name: call.name, arguments: call.input || "{}", ...(isFirst && thoughts !== "" && { thoughts }) };
    return [
      { role: "assistant", content: isFirst ? content : "", function_call: asked },
      ...writeResult(call, results.get(call.id), drop),
    ];
  });
}

function writeResult({ name }: ToolCallPart, result: ToolResultPart | undefined, drop: Drop): readonly JsonRecord[] {
  if (result === undefined) return [];
  if (result.isError) drop("messages.tool_result.is_error");
  const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [{ role: "function", name, content: texts.join("\n") || "{}" }];
}

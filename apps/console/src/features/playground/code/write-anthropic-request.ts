import { fieldsOf } from "../../../lib/values/read-values.ts";
import { type ChatAsk, imagesOf, saysSomething, toolsFor, optionsFor } from "../chat/chat-request.ts";
import type { Answer, Question } from "../chat/conversation.ts";

/** Anthropic wants a bound for every answer. */
const USUAL_MAX_TOKENS = 4_096;
const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** Parses the arguments of a call; an empty object for invalid JSON. */
function parseInput(input: string): object {
  try {
    return fieldsOf(JSON.parse(input));
  } catch {
    return {};
  }
}

function writeImage(url: string): object {
  const [, type, data] = DATA_URL.exec(url) ?? [];
  const source = data === undefined ? { type: "url", url } : { type: "base64", media_type: type, data };
  return { type: "image", source };
}

function writeQuestion(question: Question): object {
  const images = imagesOf(question).map(writeImage);
  if (images.length === 0) return { role: "user", content: question.text };
  return {
    role: "user",
    content: [...images, ...(question.text === "" ? [] : [{ type: "text", text: question.text }])],
  };
}

function writeAnswer(answer: Answer): object[] {
  if (!saysSomething(answer)) return [];
  const calls = answer.state === "done" ? answer.calls : [];
  if (calls.length === 0) return answer.text === "" ? [] : [{ role: "assistant", content: answer.text }];
  const uses = calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input: parseInput(input) }));
  const results = calls.map(({ id, result }) => ({ type: "tool_result", tool_use_id: id, content: result }));
  return [
    { role: "assistant", content: [...(answer.text === "" ? [] : [{ type: "text", text: answer.text }]), ...uses] },
    { role: "user", content: results },
  ];
}

/**
 * Writes the ask as a body of Anthropic's Messages API, which knows no answers that are only JSON and no temperature above 1.
 * Source: https://docs.anthropic.com/en/api/messages
 */
export function writeAnthropicRequest(ask: ChatAsk): Readonly<Record<string, unknown>> {
  const tools = toolsFor(ask);
  const { temperature, top_p, max_tokens, effort } = optionsFor(ask);
  const system = ask.system.trim();
  const fields = {
    model: ask.model.model,
    max_tokens: max_tokens ?? Math.min(ask.model.max_output_tokens ?? USUAL_MAX_TOKENS, USUAL_MAX_TOKENS),
    system: system === "" ? undefined : system,
    messages: ask.turns.flatMap((turn) => (turn.role === "user" ? [writeQuestion(turn)] : writeAnswer(turn))),
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, schema }) => ({
            name,
            ...(description === "" ? {} : { description }),
            input_schema: schema,
          })),
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: temperature === undefined ? top_p : undefined,
    output_config: effort === undefined ? undefined : { effort },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

import { fieldsOf } from "../../../lib/values/read-values.ts";
import { type PlaygroundSearch, readPlaygroundSearch } from "../playground-search.ts";
import { type Answer, type ChatImage, emptyAnswer, newId, type ToolCall, type Turn } from "./conversation.ts";
import type { Conversation } from "./kept-conversation.ts";

export interface Replay {
  readonly search: PlaygroundSearch;
  readonly conversation: Conversation;
}

type Fields = Readonly<Record<string, unknown>>;

const textAt = (value: unknown) => (typeof value === "string" ? value : "");
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parts of a message's content, which OpenAI and Anthropic write as a text or a list. */
function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listAt(content).map(fieldsOf);
}

const textOf = (content: unknown) =>
  partsOf(content)
    .flatMap(({ type, text }) => (type === "text" ? [textAt(text)] : []))
    .join("\n");

/** The picture of a part, unless redacted. */
function imageOf({ type, image_url: given, source }: Fields): readonly ChatImage[] {
  if (type !== "image_url" && type !== "image") return [];
  const { url, data, media_type: mediaType } = { ...fieldsOf(given), ...fieldsOf(source) };
  const address = data === undefined ? textAt(url) : `data:${textAt(mediaType)};base64,${textAt(data)}`;
  return [
    {
      id: newId(),
      name: "",
      dataUrl: /^(?:https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=]*$)/.test(address) ? address : "",
    },
  ];
}

/** The calls of an answer, in either form. */
function callsOf({ tool_calls: calls, content }: Fields): readonly ToolCall[] {
  const openAi = listAt(calls).map((call) => {
    const { id, function: called } = fieldsOf(call);
    const { name, arguments: input } = fieldsOf(called);
    return { id: textAt(id), name: textAt(name), input: textAt(input), result: "" };
  });
  const anthropic = partsOf(content).flatMap(({ type, id, name, input }) =>
    type === "tool_use" ? [{ id: textAt(id), name: textAt(name), input: JSON.stringify(input ?? {}), result: "" }] : [],
  );
  return [...openAi, ...anthropic];
}

function addResult(turns: readonly Turn[], callId: string, result: string): readonly Turn[] {
  const answer = (call: ToolCall) => (call.id === callId ? { ...call, result } : call);
  return turns.map((turn) => (turn.role === "assistant" ? { ...turn, calls: turn.calls.map(answer) } : turn));
}

function addQuestion(turns: readonly Turn[], { content }: Fields): readonly Turn[] {
  const parts = partsOf(content);
  const results = parts.filter(({ type }) => type === "tool_result");
  const answered = results.reduce<readonly Turn[]>(
    (before, part) => addResult(before, textAt(part["tool_use_id"]), textOf(part["content"])),
    turns,
  );
  const [text, images] = [textOf(content), parts.flatMap(imageOf)];
  if (text === "" && images.length === 0) return answered;
  return [...answered, { role: "user", id: newId(), text, images }];
}

function addMessage(turns: readonly Turn[], message: Fields, model: string): readonly Turn[] {
  const { role, content } = message;
  if (role === "user") return addQuestion(turns, message);
  if (role === "tool") return addResult(turns, textAt(message["tool_call_id"]), textOf(content));
  if (role !== "assistant") return turns;
  const answer: Answer = {
    ...emptyAnswer(newId(), model),
    state: "done",
    text: textOf(content),
    calls: callsOf(message),
  };
  return [...turns, answer];
}

/**
 * Reads a request of OpenAI's chat completions or of Anthropic's messages; undefined for others, such as truncated
 * ones.
 */
export function readReplay(body: string): Replay | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const fields = fieldsOf(json);
  const model = textAt(fields["model"]);
  const messages = listAt(fields["messages"]).map(fieldsOf);
  if (model === "" || messages.length === 0) return undefined;
  const systems = messages.filter(({ role }) => role === "system" || role === "developer");
  const turns = messages.reduce<readonly Turn[]>((before, message) => addMessage(before, message, model), []);
  const tools = listAt(fields["tools"]);
  return {
    search: readPlaygroundSearch({
      model,
      temperature: fields["temperature"],
      top_p: fields["top_p"],
      max_tokens: fields["max_completion_tokens"] ?? fields["max_tokens"],
      json: fieldsOf(fields["response_format"])["type"] === "json_object",
      effort: fields["reasoning_effort"] ?? fieldsOf(fields["output_config"])["effort"],
    }),
    conversation: {
      system: [textOf(fields["system"]), ...systems.map(({ content }) => textOf(content))].filter(Boolean).join("\n\n"),
      tools: tools.length === 0 ? "" : JSON.stringify(tools, undefined, 2),
      panes: [turns],
    },
  };
}

import type { ChatModel } from "@one-api/contract/playground";
import type { ChatOptions } from "../playground-search.ts";
import type { Answer, Question, Turn } from "./conversation.ts";
import type { ChatTool } from "./read-tools.ts";

export interface ChatAsk {
  readonly model: ChatModel;
  readonly options: ChatOptions;
  /** Empty for none. */
  readonly system: string;
  readonly tools: readonly ChatTool[];
  readonly turns: readonly Turn[];
}

/** The tools of an ask, none where its model knows none. */
export function toolsFor({ model, tools }: ChatAsk): readonly ChatTool[] {
  return model.parameters.includes("tools") ? tools : [];
}

export function optionsFor({ model: { parameters }, options }: ChatAsk): ChatOptions {
  const { temperature, top_p, max_tokens, json, effort } = options;
  return {
    temperature: parameters.includes("temperature") ? temperature : undefined,
    top_p: parameters.includes("top_p") ? top_p : undefined,
    max_tokens: parameters.includes("max_tokens") ? max_tokens : undefined,
    json: parameters.includes("json") ? json : undefined,
    effort: parameters.includes("reasoning_effort") ? effort : undefined,
  };
}

export function imagesOf({ images }: Question): readonly string[] {
  return images.flatMap(({ dataUrl }) => (dataUrl === "" ? [] : [dataUrl]));
}

/** True for an answer that a conversation can go on from: one of which nothing came never was. */
export function saysSomething({ text, calls }: Answer): boolean {
  return text !== "" || calls.length > 0;
}

function writeQuestion(question: Question): object {
  const images = imagesOf(question);
  if (images.length === 0) return { role: "user", content: question.text };
  const texts = question.text === "" ? [] : [{ type: "text", text: question.text }];
  return {
    role: "user",
    content: [...texts, ...images.map((url) => ({ type: "image_url", image_url: { url } }))],
  };
}

/** An answer with its tools' results. A stopped one may have an incomplete call. */
function writeAnswer(answer: Answer): object[] {
  if (!saysSomething(answer)) return [];
  const calls = answer.state === "done" ? answer.calls : [];
  if (calls.length === 0) return answer.text === "" ? [] : [{ role: "assistant", content: answer.text }];
  return [
    {
      role: "assistant",
      content: answer.text === "" ? null : answer.text,
      tool_calls: calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: input } })),
    },
    ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
  ];
}

/** Writes the ask as a body of OpenAI's chat completions. Source: https://platform.openai.com/docs/api-reference/chat/create */
export function writeChatRequest(ask: ChatAsk): Readonly<Record<string, unknown>> {
  const tools = toolsFor(ask);
  const { temperature, top_p, max_tokens, json, effort } = optionsFor(ask);
  const system = ask.system.trim();
  const fields = {
    model: ask.model.model,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...ask.turns.flatMap((turn) => (turn.role === "user" ? [writeQuestion(turn)] : writeAnswer(turn))),
    ],
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, schema }) => ({
            type: "function",
            function: { name, ...(description === "" ? {} : { description }), parameters: schema },
          })),
    temperature,
    top_p,
    max_completion_tokens: max_tokens,
    response_format: json === true ? { type: "json_object" } : undefined,
    reasoning_effort: effort,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

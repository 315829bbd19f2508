import Anthropic from "@anthropic-ai/sdk";
import { type Content, FunctionCallingConfigMode, GoogleGenAI } from "@google/genai";
import { parseJson } from "@one-api/providers/shared/json-fields";
import type { OpenAI } from "openai";
import type { RelayTest } from "../start-relay-test.ts";
import type { Dialect } from "./proofs.ts";

export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const WEATHER = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
};

/** A client of one API with its official SDK. All answers are texts. */
export interface Caller {
  readonly dialect: Dialect;
  ask(model: string, text: string): Promise<string>;
  stream(model: string, text: string): Promise<string>;
  look(model: string, text: string): Promise<string>;
  /** Lets the model call the tool `weather`, which returns `result`. `between` runs before the result is sent. */
  useTool(model: string, tool: ToolUse): Promise<{ readonly input: unknown; readonly said: string }>;
}

interface ToolUse {
  readonly text: string;
  readonly result: string;
  readonly isForced: boolean;
  readonly between: () => void;
}

export function otherCallers(gateway: RelayTest, key: string): readonly Caller[] {
  return [
    responsesCaller(gateway.sdk(key)),
    messagesCaller(new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })),
    geminiCaller(new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })),
  ];
}

function responsesCaller({ responses }: OpenAI): Caller {
  const tools: OpenAI.Responses.Tool[] = [{ type: "function", name: "weather", parameters: WEATHER, strict: false }];
  return {
    dialect: "responses",
    ask: async (model, input) => (await responses.create({ model, input })).output_text,
    async stream(model, input) {
      let text = "";
      for await (const event of await responses.create({ model, input, stream: true }))
        if (event.type === "response.output_text.delta") text += event.delta;
      return text;
    },
    async look(model, text) {
      const picture = { type: "input_image" as const, detail: "auto" as const };
      const image = { ...picture, image_url: `data:image/png;base64,${PIXEL}` };
      const content = [{ type: "input_text" as const, text }, image];
      return (await responses.create({ model, input: [{ role: "user", content }] })).output_text;
    },
    async useTool(model, { text, result, isForced, between }) {
      const choice = isForced ? { tool_choice: "required" as const } : {};
      const question = { role: "user" as const, content: text };
      const { output } = await responses.create({ model, input: [question], tools, ...choice });
      const call = output.find((item) => item.type === "function_call");
      const said = output.filter((item) => item.type === "function_call" || item.type === "reasoning");
      const told = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: result };
      between();
      const second = await responses.create({ model, input: [question, ...said, told], tools });
      return { input: parseJson(call?.arguments ?? ""), said: second.output_text };
    },
  };
}

function messagesCaller({ messages }: Anthropic): Caller {
  const max_tokens = 4_000;
  const tools: Anthropic.Tool[] = [{ name: "weather", input_schema: WEATHER }];
  const textOf = ({ content }: Anthropic.Message) =>
    content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const create = (model: string, content: Anthropic.MessageParam["content"]) =>
    messages.create({ model, max_tokens, messages: [{ role: "user", content }] });
  return {
    dialect: "messages",
    ask: async (model, text) => textOf(await create(model, text)),
    async stream(model, content) {
      let text = "";
      const stream = messages.stream({ model, max_tokens, messages: [{ role: "user", content }] });
      stream.on("text", (piece) => (text += piece));
      await stream.finalMessage();
      return text;
    },
    async look(model, text) {
      const source = { type: "base64" as const, media_type: "image/png" as const, data: PIXEL };
      const content = [
        { type: "image" as const, source },
        { type: "text" as const, text },
      ];
      return textOf(await create(model, content));
    },
    async useTool(model, { text, result, isForced, between }) {
      const choice = isForced ? { tool_choice: { type: "any" as const } } : {};
      const question = { role: "user" as const, content: text };
      const first = await messages.create({ model, max_tokens, tools, messages: [question], ...choice });
      const call = first.content.find((block) => block.type === "tool_use");
      const told = { type: "tool_result" as const, tool_use_id: call?.id ?? "", content: result };
      between();
      const second = await messages.create({
        model,
        max_tokens,
        tools,
        messages: [question, { role: "assistant", content: first.content }, { role: "user", content: [told] }],
      });
      return { input: call?.input, said: textOf(second) };
    },
  };
}

function geminiCaller({ models }: GoogleGenAI): Caller {
  const tools = [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: WEATHER }] }];
  const toolConfig = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } };
  return {
    dialect: "gemini",
    ask: async (model, contents) => (await models.generateContent({ model, contents })).text ?? "",
    async stream(model, contents) {
      let text = "";
      for await (const chunk of await models.generateContentStream({ model, contents })) text += chunk.text ?? "";
      return text;
    },
    async look(model, text) {
      const contents = [{ text }, { inlineData: { mimeType: "image/png", data: PIXEL } }];
      return (await models.generateContent({ model, contents })).text ?? "";
    },
    async useTool(model, { text, result, isForced, between }) {
      const config = { tools, ...(isForced && { toolConfig }) };
      const first = await models.generateContent({ model, contents: text, config });
      const call = first.functionCalls?.[0];
      const asked = first.candidates?.[0]?.content ?? {};
      const id = call?.id === undefined ? {} : { id: call.id };
      const told = { functionResponse: { ...id, name: "weather", response: { output: result } } };
      const contents: Content[] = [{ role: "user", parts: [{ text }] }, asked, { role: "user", parts: [told] }];
      between();
      const second = await models.generateContent({ model, contents, config: { tools } });
      return { input: call?.args, said: second.text ?? "" };
    },
  };
}

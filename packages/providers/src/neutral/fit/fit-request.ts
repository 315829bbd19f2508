import type { ChatMessage, ChatRequest, ChatTool } from "../chat-request.ts";
import type { MessagePart } from "../message-part.ts";
import { parseJson } from "../../shared/json-fields.ts";
import { fitMedia } from "./fit-media.ts";
import { fitName } from "./name-rule.ts";
import { objectAtTop } from "./object-schema.ts";
import { pairCallIds } from "./pair-call-ids.ts";
import type { RequestLimits } from "./request-limits.ts";

/** Property that holds the arguments of a tool with a wrapped schema. */
export const WRAPPED_INPUT = "input";
/** Property that holds an answer with a wrapped schema. */
export const WRAPPED_ANSWER = "answer";

export interface Fitting {
  readonly names: ReadonlyMap<string, string>;
  readonly wrappedTools: ReadonlySet<string>;
  readonly wrapsAnswer: boolean;
}

export interface FittedRequest {
  readonly request: ChatRequest;
  readonly fitting: Fitting | undefined;
}

/**
 * Adapts tool names, call ids, schemas and media types to the provider's limits. Deterministic. Throws
 * UntranslatableError for a picture with the bytes of another type.
 */
export function fitRequest(request: ChatRequest, limits: RequestLimits): FittedRequest {
  const fitter = new RequestFitter(limits);
  const { toolChoice, options } = request;
  const tools = request.tools.map((tool) => fitter.tool(tool));
  const answerFormat = options.answerFormat && fitter.answerFormat(options.answerFormat);
  const fitted: ChatRequest = {
    ...request,
    tools,
    toolChoice: toolChoice?.type === "function" ? { ...toolChoice, name: fitter.name(toolChoice.name) } : toolChoice,
    messages: pairCallIds(request.messages).map((message) => fitter.message(message)),
    options: answerFormat === options.answerFormat ? options : { ...options, answerFormat },
  };
  return { request: fitted, fitting: fitter.fitting };
}

class RequestFitter {
  readonly #limits: RequestLimits;
  readonly #names = new Map<string, string>();
  readonly #wrappedTools = new Set<string>();
  #wrapsAnswer = false;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  get fitting(): Fitting | undefined {
    const isChanged = this.#names.size > 0 || this.#wrappedTools.size > 0 || this.#wrapsAnswer;
    return isChanged
      ? { names: this.#names, wrappedTools: this.#wrappedTools, wrapsAnswer: this.#wrapsAnswer }
      : undefined;
  }

  name(name: string): string {
    const fitted = fitName(name, this.#limits.toolNames);
    if (fitted !== name) this.#names.set(fitted, name);
    return fitted;
  }

  tool(tool: ChatTool): ChatTool {
    if (tool.type === "native") return tool;
    const name = this.name(tool.name);
    if (!this.#limits.hasObjectTools || Object.keys(tool.schema).length === 0) return { ...tool, name };
    const { schema, isWrapped } = objectAtTop(tool.schema, WRAPPED_INPUT);
    if (isWrapped) this.#wrappedTools.add(name);
    return { ...tool, name, schema };
  }

  answerFormat(format: NonNullable<ChatRequest["options"]["answerFormat"]>): typeof format {
    if (format.type !== "json-schema" || !this.#limits.hasObjectAnswers) return format;
    const { schema, isWrapped } = objectAtTop(format.schema, WRAPPED_ANSWER);
    this.#wrapsAnswer = isWrapped;
    return { ...format, schema };
  }

  message(message: ChatMessage): ChatMessage {
    const isPlain = message.parts.every(({ type }) => type === "text");
    return isPlain ? message : { ...message, parts: message.parts.map((part) => this.#part(fitMedia(part))) };
  }

  #part(part: MessagePart): MessagePart {
    if (part.type === "tool-result") return { ...part, callId: this.#callId(part.callId) };
    if (part.type !== "tool-call") return part;
    const name = this.name(part.name);
    const input = this.#wrappedTools.has(name) ? wrapInput(part.input) : part.input;
    return { ...part, id: this.#callId(part.id), name, input };
  }

  #callId(id: string): string {
    const { callIds } = this.#limits;
    return callIds === undefined ? id : fitName(id, callIds);
  }
}

function wrapInput(input: string): string {
  const value = input.trim() === "" ? "{}" : parseJson(input) === undefined ? JSON.stringify(input) : input;
  return `{"${WRAPPED_INPUT}":${value}}`;
}

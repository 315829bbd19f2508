import { type ChatRequest, type Drop, hasCacheMark } from "./chat-request.ts";

/**
 * Drops tools and options by name, for providers that accept little beyond messages. `known` holds the names that the
 * provider supports.
 */
export function dropOptions(request: ChatRequest, known: ReadonlySet<string>, drop: Drop): void {
  const { messages, options, tools, toolChoice } = request;
  const requested: Readonly<Record<string, boolean>> = {
    tools: tools.length > 0,
    tool_choice: toolChoice !== undefined && toolChoice.type !== "auto" && toolChoice.type !== "none",
    parallel_tool_calls: request.singleToolCall,
    max_tokens: options.maxTokens !== undefined,
    temperature: options.temperature !== undefined,
    top_p: options.topP !== undefined,
    top_k: options.topK !== undefined,
    seed: options.seed !== undefined,
    frequency_penalty: options.frequencyPenalty !== undefined,
    presence_penalty: options.presencePenalty !== undefined,
    n: options.answers !== undefined && options.answers > 1,
    stop: options.stop.length > 0,
    response_format: options.answerFormat !== undefined,
    reasoning_effort: options.reasoning !== undefined,
    user: options.userId !== "",
    "messages.name": messages.some(({ name }) => name !== ""),
    cache_control: hasCacheMark(request),
  };
  for (const [name, isSet] of Object.entries(requested)) if (isSet && !known.has(name)) drop(name);
}

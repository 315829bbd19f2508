import { type ChatRequest, UntranslatableError } from "../../../neutral/chat-request.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../../shared/json-fields.ts";

const KNOWN = new Set([
  "model",
  "prompt",
  "max_tokens",
  "temperature",
  "top_p",
  "n",
  "seed",
  "stop",
  "frequency_penalty",
  "presence_penalty",
  "user",
  "stream",
  "stream_options",
]);

/**
 * Reads a completion request as a chat with one message. Throws UntranslatableError for several prompts or one that is
 * no text. Source: https://platform.openai.com/docs/api-reference/completions/create
 */
export function readRequest(body: JsonRecord): ChatRequest {
  const foreign = Object.entries(body).filter(
    ([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined,
  );
  return {
    model: textOf(body.model),
    messages: [{ role: "user", name: "", parts: [{ type: "text", text: readPrompt(body.prompt) }] }],
    tools: [],
    toolChoice: undefined,
    singleToolCall: false,
    options: {
      maxTokens: numberOf(body.max_tokens),
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: undefined,
      seed: numberOf(body.seed),
      frequencyPenalty: numberOf(body.frequency_penalty),
      presencePenalty: numberOf(body.presence_penalty),
      answers: numberOf(body.n),
      stop: typeof body.stop === "string" ? [body.stop] : listOf(body.stop).map(textOf).filter(Boolean),
      answerFormat: undefined,
      reasoning: undefined,
      // Still dropped by formats without log probabilities.
      logprobs: numberOf(body.logprobs),
      userId: textOf(body.user),
    },
    stream: body.stream === true,
    reportUsage: recordOf(body.stream_options).include_usage === true,
    foreign: {
      format: "openai-completions",
      fields: Object.fromEntries(foreign),
      // The model must fit its answer to the suffix.
      indispensable: textOf(body.suffix) === "" ? [] : ["suffix"],
      lost: [],
    },
  };
}

function readPrompt(prompt: unknown): string {
  const [only, ...others] = Array.isArray(prompt) ? listOf(prompt) : [prompt];
  if (typeof only === "string" && others.length === 0) return only;
  throw new UntranslatableError(
    "prompt",
    "prompt must be one text here: the provider of this model answers chats. Send each prompt in a request of its own.",
  );
}

import { TEST_MODEL } from "../../../testing/test-channel.ts";

const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };

/** A chat that is to be answered in whole. */
export const CHAT = { model: TEST_MODEL, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };

/** The same as a stream. */
export const STREAM = { ...CHAT, stream: true };

/** A stream whose prompt has an image of unknown cost: its usage is hidden until the provider reports it. */
export const IMAGE_STREAM = {
  ...STREAM,
  messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://images.example/1.png" } }] }],
};

/** A whole answer with its usage. */
export const ANSWER = {
  id: "answer",
  object: "chat.completion",
  model: TEST_MODEL,
  choices: [{ index: 0, message: { role: "assistant", content: "Good day" }, finish_reason: "stop" }],
  usage: USAGE,
};

/** The same without its usage. */
export const UNREPORTED = { ...ANSWER, usage: undefined };

/** An event with a piece of the answer. */
export const HELLO = event({ choices: [{ index: 0, delta: { content: "Good day" }, finish_reason: null }] });

/** The event that ends the answer. */
export const STOP = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });

/** The event with the usage of the whole answer. */
export const REPORT = event({ choices: [], usage: USAGE });

export const DONE = "data: [DONE]\n\n";

function event(fields: object): string {
  return `data: ${JSON.stringify({ id: "answer", object: "chat.completion.chunk", model: TEST_MODEL, ...fields })}\n\n`;
}

import { MODEL } from "./subjects.ts";

export interface Scenario {
  readonly path: string;
  readonly keyHeader: readonly [name: string, prefix: string];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The path that servers get which know OpenAI's calls alone. */
  readonly plain: "answers" | "streams" | undefined;
}

const QUESTION = "Say hello in five words, please.";
const openai = { path: "/v1/chat/completions", keyHeader: ["Authorization", "Bearer "], headers: {} } as const;
const answer = { model: MODEL, messages: [{ role: "user", content: QUESTION }], max_tokens: 32 };

/** By the name that `--only` takes. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  answers: { ...openai, body: answer, plain: undefined },
  streams: { ...openai, body: { ...answer, stream: true }, plain: undefined },
  // An Anthropic caller on a channel that speaks OpenAI's format; proxies that pass bytes on get what the provider gets.
  anthropic: {
    path: "/v1/messages",
    keyHeader: ["x-api-key", ""],
    headers: { "anthropic-version": "2023-06-01" },
    body: { ...answer, stream: true },
    plain: "streams",
  },
};

/** A call whose stream begins and then says nothing more. */
export const IDLE_STREAM = {
  path: openai.path,
  body: {
    ...answer,
    stream: true,
    messages: [{ role: "user", content: `${QUESTION} [[fake: {"kind":"stall","afterChunks":2}]]` }],
  },
};

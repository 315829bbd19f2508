import type { Failure } from "../failure.ts";
import type { Usage } from "../usage.ts";
import type { WrittenToken } from "./logprobs.ts";
import type { MessagePart } from "./message-part.ts";

export interface Finish {
  readonly reason: FinishReason;
  readonly stopSequence: string;
}

/**
 * | reason | meaning |
 * |---|---|
 * | `stop` | finished |
 * | `length` | token limit reached |
 * | `context` | context window full |
 * | `tool-calls` | waits for tool results |
 * | `refusal` | declined by model or filter |
 * | `pause` | the client should send the conversation again |
 * | `failed` | incomplete or unusable; a retry may help |
 */
export type FinishReason = "stop" | "length" | "context" | "tool-calls" | "refusal" | "pause" | "failed";

export interface ChatAnswer {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage | undefined;
}

export interface ChatChoice {
  readonly parts: readonly MessagePart[];
  readonly finish: Finish;
  readonly logprobs?: readonly WrittenToken[];
}

/** One event of a streamed answer in the neutral form. `choice` is the index of the answer, from 0. */
export type ChatEvent =
  | { readonly type: "answer-start"; readonly id: string; readonly model: string }
  | {
      readonly type: "text-delta";
      readonly choice: number;
      readonly text: string;
      readonly logprobs?: readonly WrittenToken[];
    }
  | { readonly type: "refusal-delta"; readonly choice: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly choice: number; readonly text: string }
  /** Ends a thought. Later deltas belong to another one. */
  | { readonly type: "reasoning-signature"; readonly choice: number; readonly signature: string }
  | { readonly type: "hidden-reasoning"; readonly choice: number; readonly data: string }
  /** Base64. */
  | { readonly type: "picture"; readonly choice: number; readonly mediaType: string; readonly data: string }
  /** `call` counts the tool calls of the choice from 0. */
  | {
      readonly type: "tool-call-start";
      readonly choice: number;
      readonly call: number;
      readonly id: string;
      readonly name: string;
      /** The input is free text; absent: JSON. */
      readonly takesText?: true;
    }
  | { readonly type: "tool-input-delta"; readonly choice: number; readonly call: number; readonly text: string }
  | { readonly type: "answer-finish"; readonly choice: number; readonly finish: Finish }
  | { readonly type: "usage-report"; readonly usage: Usage }
  /** Fees so far of the tools that the provider runs, as in `Usage`. No caller's format reports them. */
  | { readonly type: "tool-fee-report"; readonly toolFees: number }
  | { readonly type: "stream-end" }
  | { readonly type: "error"; readonly failure: Failure };

/**
 * Adds log probabilities to the text event. Without one they form an event of their own: a token may be less than a
 * character.
 */
export function withLogprobs(
  events: readonly ChatEvent[],
  choice: number,
  logprobs: readonly WrittenToken[] | undefined,
): readonly ChatEvent[] {
  if (logprobs === undefined) return events;
  const at = events.findIndex(({ type }) => type === "text-delta");
  if (at === -1) return [...events, { type: "text-delta", choice, text: "", logprobs }];
  return events.map((event, index) => (index === at && event.type === "text-delta" ? { ...event, logprobs } : event));
}

/** Text that an event adds to the generated text, for token counts; empty for other events. */
export function textOfEvent(event: ChatEvent): string {
  switch (event.type) {
    case "text-delta":
    case "refusal-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return event.text;
    case "tool-call-start":
      return event.name;
    default:
      return "";
  }
}

/** All generated text of an answer, for token counts. */
export function textOfAnswer(answer: ChatAnswer): string {
  return answer.choices.flatMap(({ parts }) => parts.map(textOfPart)).join("");
}

function textOfPart(part: MessagePart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return part.text;
    case "tool-call":
      return part.name + part.input;
    default:
      return "";
  }
}

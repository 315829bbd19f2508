import type { Failure } from "../failure.ts";
import type { Usage } from "../usage.ts";
import type { WrittenToken } from "./logprobs.ts";
import type { MessagePart } from "./message-part.ts";

/** Why the model stopped. */
export interface Finish {
  readonly reason: FinishReason;
  /** The text that the caller had named as an end; empty for none. */
  readonly stopSequence: string;
}

/**
 * `stop`: it was done; `length`: it reached the limit; `context`: it filled its context window; `tool-calls`: it waits for results; `refusal`:
 * it or a filter declined; `pause`: the provider asks to be asked again with what there is; `failed`: it broke off, or what it wrote could not be
 * used: the answer is not whole, and asking again may help.
 */
export type FinishReason = "stop" | "length" | "context" | "tool-calls" | "refusal" | "pause" | "failed";

/** A whole answer as every format can say it. */
export interface ChatAnswer {
  readonly id: string;
  readonly model: string;
  /** One for each answer that was asked for. */
  readonly choices: readonly ChatChoice[];
  /** Undefined when the provider reported none. */
  readonly usage: Usage | undefined;
}

export interface ChatChoice {
  readonly parts: readonly MessagePart[];
  readonly finish: Finish;
  /** Of its text; absent where the provider tells nothing of that. */
  readonly logprobs?: readonly WrittenToken[];
}

/** One step of a streamed answer as every format can say it. `choice` says which of several answers it belongs to. */
export type ChatEvent =
  | { readonly type: "answer-start"; readonly id: string; readonly model: string }
  | {
      readonly type: "text-delta";
      readonly choice: number;
      readonly text: string;
      /** Of the piece; absent where the provider tells nothing of that. */
      readonly logprobs?: readonly WrittenToken[];
    }
  | { readonly type: "refusal-delta"; readonly choice: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly choice: number; readonly text: string }
  /** Ends a thought: what follows belongs to another one. */
  | { readonly type: "reasoning-signature"; readonly choice: number; readonly signature: string }
  | { readonly type: "hidden-reasoning"; readonly choice: number; readonly data: string }
  /** A picture that the model has made, in base64. */
  | { readonly type: "picture"; readonly choice: number; readonly mediaType: string; readonly data: string }
  /** `call` counts the tool calls of the choice from 0. */
  | {
      readonly type: "tool-call-start";
      readonly choice: number;
      readonly call: number;
      readonly id: string;
      readonly name: string;
      /** The input is a text of any form; absent: JSON. */
      readonly takesText?: true;
    }
  | { readonly type: "tool-input-delta"; readonly choice: number; readonly call: number; readonly text: string }
  | { readonly type: "answer-finish"; readonly choice: number; readonly finish: Finish }
  | { readonly type: "usage-report"; readonly usage: Usage }
  /** What the tools have cost so far that the provider runs by itself, in fees as in `Usage`; no caller's format has a place for it. */
  | { readonly type: "tool-fee-report"; readonly toolFees: number }
  /** The provider's end mark. */
  | { readonly type: "stream-end" }
  | { readonly type: "error"; readonly failure: Failure };

/** The events of a piece with what is told of its tokens: at its text, or alone where a token is but a part of a character. */
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

/** The text that an event adds to what the model wrote, for counting; empty for the rest. */
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

/** Everything that the model wrote in an answer, joined, for counting. */
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

import type { RefusalValues } from "@one-api/contract/logs/refusal-values";

export interface ChatImage {
  readonly id: string;
  readonly name: string;
  /** Empty when the picture was not kept with its conversation. */
  readonly dataUrl: string;
}

export interface Question {
  readonly role: "user";
  readonly id: string;
  readonly text: string;
  readonly images: readonly ChatImage[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON as a rule. */
  readonly input: string;
  /** Typed by hand; empty is a result too, once it is sent. */
  readonly result: string;
}

/** Why there is no (whole) answer. */
export interface AnswerFailure {
  readonly message: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  /** The amounts that the relay names beside its words. */
  readonly values: RefusalValues;
  /** Requested pause before a retry; 0 for none. */
  readonly waitSeconds: number;
}

export interface Answer {
  readonly role: "assistant";
  readonly id: string;
  readonly model: string;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly ToolCall[];
  /** Why it ended, in the provider's word: `stop`, `length`, `tool_calls` …; empty until it did. */
  readonly finish: string;
  readonly failure: AnswerFailure | undefined;
  /** Empty until the answer begins. */
  readonly requestId: string;
  /** Fields of the request that the provider had no place for. */
  readonly dropped: readonly string[];
  /** As seen from here, in ms; 0 until then. */
  readonly firstTokenMs: number;
  readonly totalMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type Turn = Question | Answer;

let made = 0;

/** An id that nothing else in this browser has. Pages over plain http have no better source. */
export function newId(): string {
  made += 1;
  return `${Date.now().toString(36)}-${made}`;
}

export function emptyAnswer(id: string, model: string): Answer {
  return {
    role: "assistant",
    id,
    model,
    state: "running",
    text: "",
    thoughts: "",
    calls: [],
    finish: "",
    failure: undefined,
    requestId: "",
    dropped: [],
    firstTokenMs: 0,
    totalMs: 0,
    promptTokens: 0,
    completionTokens: 0,
  };
}

/** The turns before the one with the id, and that one left out; all of them where it is not there. */
export function turnsBefore(turns: readonly Turn[], id: string): readonly Turn[] {
  const index = turns.findIndex((turn) => turn.id === id);
  return index === -1 ? turns : turns.slice(0, index);
}

/** True while the last answer waits for results of its tools. */
export function waitsForTools(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last?.role === "assistant" && last.state === "done" && last.calls.length > 0;
}

/** True while the last question has no answer yet. */
export function isUnanswered(turns: readonly Turn[]): boolean {
  return turns.at(-1)?.role === "user";
}

export function isRunning(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last?.role === "assistant" && last.state === "running";
}

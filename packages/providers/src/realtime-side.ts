import type { Failure } from "./failure.ts";
import type { JsonRecord } from "./shared/json-fields.ts";
import type { Usage } from "./usage.ts";

/** Reads the events of a session in both directions. Pure, and never throws. */
export interface RealtimeSide {
  readonly spokenTokensPerSecond: number;
  /** A new answer ends the previous one, however many were requested. */
  readonly answersOneByOne?: true;
  /** The caller's first message configures the session. Errors have no event then: they close the session. */
  readonly setup?: RealtimeOpening;
  /** Announces the end of the session, in seconds. Absent: the format has no such event. */
  readonly goAway?: (seconds: number) => JsonRecord;
  readRequest(event: JsonRecord): RealtimeRequest;
  readEvents(event: JsonRecord): readonly RealtimeEvent[];
  withModel(event: JsonRecord, model: string): JsonRecord;
}

export interface RealtimeOpening {
  read(event: JsonRecord): RealtimeSetup | RefusedRequest;
  readClose(code: number, reason: string): Failure;
}

export interface RealtimeSetup {
  readonly kind: "setup";
  readonly model: string;
  readonly mostTokens: number | undefined;
  readonly message: JsonRecord;
}

/** Unsupported request, with the field and the fix. */
export interface RefusedRequest {
  readonly kind: "refused";
  readonly field: string;
  readonly message: string;
}

export interface RealtimeConfiguration {
  readonly model: string | undefined;
  /** Model that transcribes the caller's speech; empty for none. */
  readonly transcriptionModel: string | undefined;
  readonly bytesPerSecond: number | undefined;
  readonly mostTokens: number | undefined;
}

export type RealtimeRequest =
  | ({ readonly kind: "configure" } & RealtimeConfiguration)
  | { readonly kind: "start"; readonly mostTokens: number | undefined }
  | { readonly kind: "audio" }
  /** Answers a tool call: the answer with the call has ended, and another one follows. */
  | { readonly kind: "reply" }
  | RefusedRequest
  | { readonly kind: "content" };

export type RealtimeEvent =
  | ({ readonly kind: "session" } & RealtimeConfiguration)
  | { readonly kind: "answer-start"; readonly answerId: string }
  | { readonly kind: "text"; readonly answerId: string; readonly text: string }
  /** Sound: bytes at the session's rate, or seconds. */
  | { readonly kind: "audio"; readonly answerId: string; readonly bytes: number }
  | { readonly kind: "audio"; readonly answerId: string; readonly seconds: number }
  /** Tool call, after which the provider may wait for the caller. */
  | { readonly kind: "call"; readonly answerId: string; readonly text: string }
  | { readonly kind: "usage"; readonly answerId: string; readonly usage: Usage }
  /** The caller spoke meanwhile, so the answer ends here. */
  | { readonly kind: "interrupted"; readonly answerId: string }
  | {
      readonly kind: "answer-end";
      readonly answerId: string;
      readonly end: "complete" | "cancelled" | "failed";
      /** The answer is in the conversation, so that its usage shows how long the conversation is. */
      readonly inConversation: boolean;
      readonly usage: Usage | undefined;
    }
  /** The caller's speech is an item of the conversation now. */
  | { readonly kind: "speech-committed"; readonly itemId: string }
  | { readonly kind: "transcript"; readonly itemId: string; readonly text: string }
  | {
      readonly kind: "transcript-end";
      readonly itemId: string;
      readonly text: string;
      readonly usage: Usage | undefined;
    }
  | { readonly kind: "error" }
  | { readonly kind: "other" };

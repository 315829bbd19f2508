import type { Failure } from "@one-api/providers/failure";
import type { DeliveredBeside, RequestEdits, SystemPromptEffect } from "@one-api/providers/format";
import type { FetchPicture } from "@one-api/providers/provider-io";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import type { Usage } from "@one-api/providers/usage";
import type { ParsedRequest } from "../body/index.ts";

/** A request as the provider reads it. */
export interface WrittenRequest {
  readonly body: Buffer;
  /** Names of the caller's fields that the provider's format cannot express. */
  readonly dropped: readonly string[];
  /** What became of the channel's system prompt; undefined without one. */
  readonly systemPrompt: SystemPromptEffect | undefined;
  /** The answer is to come as a stream. */
  readonly stream: boolean;
  /** Headers that belong to the body. */
  readonly formatHeaders: Readonly<Record<string, string>>;
  /** Query parameters that belong to the body. */
  readonly formatQuery?: string | undefined;
  /** What the body is; absent: JSON. */
  readonly contentType?: string | undefined;
}

/** A whole answer on its way to the caller. */
export type ReadAnswer =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      readonly usage: Usage | undefined;
      /** What the bytes are; absent: JSON. */
      readonly contentType?: string;
      /** By which the provider keeps the answer; absent where it does not. */
      readonly keptId?: string | undefined;
      /** Returns the bytes with what the caller wants in them and the provider has only named; absent where nothing is missing. Never rejects. */
      readonly complete?: (fetchPicture: FetchPicture) => Promise<Buffer>;
      /** Returns the bytes with another usage than the provider's report; absent where bytes pass untouched. */
      readonly tellUsage?: (usage: Usage) => Buffer;
    }
  | { readonly ok: false; readonly failure: Failure };

/** A provider's stream on its way to the caller: the very bytes where both speak the same format, else decoded and encoded anew. */
export interface AnswerStream {
  /** Takes bytes as they came and returns what may go to the caller now, in whole events; undefined for nothing. */
  push(chunk: Buffer): Buffer | undefined;
  /** The provider closed the stream: returns what was still held back. */
  finish(): Buffer | undefined;
  /** `complete`: the answer is whole, and only the closing bytes are missing. */
  readonly state: "running" | "complete" | "failed";
  /** Why it failed. */
  readonly failure: Failure | undefined;
  /** The format's own end, which leaves after the charge is committed. */
  readonly closing: Buffer;
  /** What its bytes are where these are sound, which has no place for an error; absent: events, or a JSON list. */
  readonly contentType?: string;
  /** Puts an error in the place of the end, where that is no event like others. */
  closeWithError?(event: string): string;
  /** Something of the answer itself has passed: comments do not count. */
  readonly sawContent: boolean;
  /** By which the provider keeps the answer; absent where it does not. */
  readonly keptId?: string | undefined;
  /** As the provider reported it last. */
  readonly usage: Usage | undefined;
  /** Completion tokens that have passed as text, counted here. */
  deliveredTokens(): number;
  /**
   * Whether the piece that it has let through last, which is given, says something of the answer: comments, pings and empty pieces do not. May
   * parse it. Absent: every piece does.
   */
  saysSomething?(piece: Buffer): boolean;
  /** What has passed beside text. Absent: nothing. */
  readonly beside?: DeliveredBeside | undefined;
  /**
   * Returns what belongs before the closing of a whole answer once it is known what was used: empty where the provider had reported it. Absent where
   * nothing is told of that.
   */
  tellUsage?(usage: Usage): Buffer;
}

/** How one attempt speaks to its provider, and how what comes back becomes the caller's. */
export interface Translation {
  writeRequest(ask: ParsedRequest, edits: RequestEdits): WrittenRequest;
  /** What the provider's streams call themselves. */
  readonly streamType: RegExp;
  openStream(ask: ParsedRequest, contentType?: string): AnswerStream;
  /** Opens what reads a whole answer that comes in the place of a stream, and makes a stream of it. Absent: that is taken for a refusal. */
  openWhole?(ask: ParsedRequest, status: number, headers: AnswerHeaders): AnswerStream;
  /** A whole answer is taken where a stream was asked for. */
  readonly takesWhole?: true;
  /** Largest whole answer that is taken, in bytes, where it may be larger than usual. */
  readonly maxAnswerBytes?: number;
  /** Reads a whole answer with a good status. Never throws: what cannot be read is a failure. */
  readAnswer(ask: ParsedRequest, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer;
  /** Reads a refusal: another status than a good one, or a body that is not what was asked for. */
  readError(status: number, headers: AnswerHeaders, body: string): Failure;
  /** Everything that the model wrote in a whole answer, for counting it; the answer as it is where it cannot be read. */
  answerText(bytes: Buffer): string;
}

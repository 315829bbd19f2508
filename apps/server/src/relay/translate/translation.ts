import type { Failure } from "@one-api/providers/failure";
import type { RequestEdits, SystemPromptEffect } from "@one-api/providers/format";
import type { DeliveredBeside } from "@one-api/providers/stream-meter";
import type { FetchPicture } from "@one-api/providers/provider-io";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import type { Usage } from "@one-api/providers/usage";
import type { ParsedRequest } from "../body/index.ts";
import type { ChannelOverrides, TierFields } from "../../features/channels/index.ts";

export interface WrittenRequest {
  readonly body: Buffer;
  /** Names of the caller's fields that the provider's format cannot express. */
  readonly dropped: readonly string[];
  readonly systemPrompt: SystemPromptEffect | undefined;
  readonly stream: boolean;
  readonly formatHeaders: Readonly<Record<string, string>>;
  readonly formatQuery?: string | undefined;
  readonly contentType?: string | undefined;
  readonly tier?: TierFields | undefined;
}

export interface WriteEdits extends RequestEdits {
  /** Applied to requests with a completion. Absent: none. */
  readonly overrides?: ChannelOverrides | undefined;
}

export type ReadAnswer =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      readonly usage: Usage | undefined;
      readonly contentType?: string;
      readonly storedId?: string | undefined;
      /** Fetches images that the provider only linked. Absent if none is missing. Never rejects. */
      readonly complete?: (fetchPicture: FetchPicture) => Promise<Buffer>;
      /** Re-encodes the answer with other usage; absent if bytes pass untouched. */
      readonly writeUsage?: (usage: Usage) => Buffer;
    }
  | { readonly ok: false; readonly failure: Failure };

export interface AnswerStream {
  /** Returns whole events to forward; undefined for none. */
  push(chunk: Buffer): Buffer | undefined;
  /** Ends the stream and returns withheld bytes. */
  finish(): Buffer | undefined;
  /** `complete`: only the closing bytes are missing. */
  readonly state: "running" | "complete" | "failed";
  readonly failure: Failure | undefined;
  readonly closing: Buffer;
  /** Content type of sound, which cannot contain an error; absent for events and JSON lists. */
  readonly contentType?: string;
  /** Ends the stream with an error, for formats in which that is no ordinary event. */
  closeWithError?(event: string): string;
  /** True once output has passed; comments do not count. */
  readonly sawContent: boolean;
  readonly storedId?: string | undefined;
  readonly usage: Usage | undefined;
  deliveredTokens(): number;
  /** True if the last piece contains output, not only comments or pings. May parse it. Absent: always true. */
  saysSomething?(piece: Buffer): boolean;
  /** Output other than text. Absent: none. */
  readonly beside?: DeliveredBeside | undefined;
  /** Returns the usage event to send before the closing bytes; empty if the provider has reported it. Absent if usage is not sent. */
  writeUsage?(usage: Usage): Buffer;
}

export interface Translation {
  writeRequest(parsed: ParsedRequest, edits: WriteEdits): WrittenRequest;
  readonly streamType: RegExp;
  openStream(parsed: ParsedRequest, contentType?: string): AnswerStream;
  /** Reads a whole answer received instead of a stream, as a stream. Absent: it counts as a refusal. */
  openWhole?(parsed: ParsedRequest, status: number, headers: AnswerHeaders): AnswerStream;
  readonly takesWhole?: true;
  readonly maxAnswerBytes?: number;
  /** Reads a whole answer with a good status. Never throws: an unreadable answer is a failure. */
  readAnswer(parsed: ParsedRequest, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer;
  /** Reads an error status or an unexpected body. */
  readError(status: number, headers: AnswerHeaders, body: string): Failure;
  /** The model's text in a whole answer, for counting; the raw answer if it is unreadable. */
  answerText(bytes: Buffer): string;
}

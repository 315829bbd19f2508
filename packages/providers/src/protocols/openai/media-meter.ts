import type { EventVerdict, StreamMeter } from "../../stream-meter.ts";
import { readServerSentEvent } from "../../framing/server-sent-event.ts";
import { isRecord, type JsonRecord, parseJson } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { END_MARK } from "./stream-meter.ts";

/** Base of meters for pictures and audio. Events are few and large, so each is parsed. */
export abstract class MediaMeter implements StreamMeter {
  sawContent = false;

  abstract readonly finished: boolean;
  abstract readonly usage: Usage | undefined;

  deliveredTokens(): number {
    return 0;
  }

  passing(_events: Buffer, _text: string, from: number): number {
    return from;
  }

  look(event: Buffer): EventVerdict {
    return lookAtEvent(readServerSentEvent(event).data, (said) => this.read(said));
  }

  protected abstract read(event: JsonRecord): EventVerdict;
}

/** Handles end and errors; `read` receives any other JSON event. */
export function lookAtEvent(data: string, read: (said: JsonRecord) => EventVerdict): EventVerdict {
  if (data.trim() === END_MARK) return { kind: "end" };
  const said = parseJson(data);
  if (!isRecord(said)) return { kind: "forward" };
  return carriesError(said) ? { kind: "error", failure: readStreamError(data) } : read(said);
}

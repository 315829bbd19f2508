import type { EventVerdict, StreamMeter } from "../../format.ts";
import { readServerSentEvent } from "../../framing/server-sent-event.ts";
import { isRecord, type JsonRecord, parseJson } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { END_MARK } from "./stream-meter.ts";

/** What the meters of pictures and of sound in events have in common: events are few and large, and each is looked at. */
export abstract class MediaMeter implements StreamMeter {
  sawContent = false;

  abstract readonly finished: boolean;
  abstract readonly usage: Usage | undefined;

  /** Nothing of it is counted in tokens here. */
  deliveredTokens(): number {
    return 0;
  }

  passing(_events: Buffer, _text: string, from: number): number {
    return from;
  }

  look(event: Buffer): EventVerdict {
    return lookAtEvent(readServerSentEvent(event).data, (said) => this.read(said));
  }

  /** Looks at what an event says that is neither the end nor an error. */
  protected abstract read(event: JsonRecord): EventVerdict;
}

/** Tells the end and errors; `read` looks at the data of any other event that is JSON. */
export function lookAtEvent(data: string, read: (said: JsonRecord) => EventVerdict): EventVerdict {
  if (data.trim() === END_MARK) return { kind: "end" };
  const said = parseJson(data);
  if (!isRecord(said)) return { kind: "forward" };
  return carriesError(said) ? { kind: "error", failure: readStreamError(data) } : read(said);
}

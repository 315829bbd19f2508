import type { ProviderChat, ProviderFormat, StreamDecoder } from "@one-api/providers/format";
import { type Framing, WHOLE_DOCUMENT } from "@one-api/providers/framing/framing";
import type { ChatEvent } from "@one-api/providers/neutral/chat-answer";
import { eventsOfAnswer } from "@one-api/providers/neutral/events-of-answer";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import { readAnswer } from "./read-whole-answer.ts";

/** How a provider's format frames and reads what comes where a stream was asked for. */
export interface WholeReader {
  readonly framing: Framing;
  readonly decoder: StreamDecoder & { readonly keptId: string | undefined };
}

/** Reads a whole answer that came in the place of a stream as the events of one; an error in it is the stream's failure. */
export function readWholeAsStream(
  provider: ProviderFormat,
  served: ProviderChat,
  status: number,
  headers: AnswerHeaders,
): WholeReader {
  let keptId: string | undefined;
  const decoder: WholeReader["decoder"] = {
    get keptId() {
      return keptId;
    },
    read(_name, data) {
      let events: readonly ChatEvent[] = [];
      const read = readAnswer(provider, status, headers, Buffer.from(data), (answer) => {
        if (served.readAnswer === undefined) return undefined;
        events = eventsOfAnswer({ ...served.readAnswer(answer), usage: provider.readUsage(answer) });
        keptId = provider.readKeptId?.(answer);
        return answer;
      });
      return read.ok ? events : [{ type: "error", failure: read.failure }];
    },
  };
  return { framing: WHOLE_DOCUMENT, decoder };
}

/** What the first bytes of server-sent events look like, whatever they are called (WHATWG HTML, "Server-sent events"). */
const EVENT_START = /^\uFEFF?\s*(?:(?:data|event|id|retry)?:)/;

/** True for bytes that begin as a stream of server-sent events does. */
export function beginsAsEvents(bytes: Buffer): boolean {
  return EVENT_START.test(bytes.toString("utf8", 0, 64));
}

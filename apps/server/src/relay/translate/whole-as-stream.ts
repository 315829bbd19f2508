import type { ProviderFormat } from "@one-api/providers/format";
import type { ProviderChat, StreamDecoder } from "@one-api/providers/format-sides";
import { type Framing, WHOLE_DOCUMENT } from "@one-api/providers/framing/framing";
import type { ChatEvent } from "@one-api/providers/neutral/chat-answer";
import { eventsOfAnswer } from "@one-api/providers/neutral/events-of-answer";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import { readAnswer } from "./read-whole-answer.ts";

export interface WholeReader {
  readonly framing: Framing;
  readonly decoder: StreamDecoder & { readonly storedId: string | undefined };
}

/** An error becomes the stream's failure. */
export function readWholeAsStream(
  provider: ProviderFormat,
  served: ProviderChat,
  status: number,
  headers: AnswerHeaders,
): WholeReader {
  let storedId: string | undefined;
  const decoder: WholeReader["decoder"] = {
    get storedId() {
      return storedId;
    },
    read(_name, data) {
      let events: readonly ChatEvent[] = [];
      const read = readAnswer(provider, status, headers, Buffer.from(data), (answer) => {
        if (served.readAnswer === undefined) return undefined;
        events = eventsOfAnswer({ ...served.readAnswer(answer), usage: provider.readUsage(answer) });
        storedId = provider.readStoredId?.(answer);
        return answer;
      });
      return read.ok ? events : [{ type: "error", failure: read.failure }];
    },
  };
  return { framing: WHOLE_DOCUMENT, decoder };
}

/** WHATWG HTML, "Server-sent events". */
const EVENT_START = /^\uFEFF?\s*(?:(?:data|event|id|retry)?:)/;

export function beginsAsEvents(bytes: Buffer): boolean {
  return EVENT_START.test(bytes.toString("utf8", 0, 64));
}

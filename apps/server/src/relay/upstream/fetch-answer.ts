import type { Failure } from "@one-api/providers/failure";
import type { Dispatcher } from "undici";
import type { Translation } from "../translate/translation.ts";
import { Attempt, type UpstreamAnswer, type UpstreamRequest } from "./attempt.ts";
import { ByteBudget } from "./byte-budget.ts";

export type FetchAnswerResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** The gateway's own questions get short answers. */
const room = new ByteBudget(Number.POSITIVE_INFINITY);

/** Asks a provider for a whole answer on the gateway's own behalf. Never rejects. */
export function fetchAnswer(
  client: Dispatcher,
  translation: Translation,
  request: UpstreamRequest,
): Promise<FetchAnswerResult> {
  return new Promise((resolve) => {
    const unexpected = () => undefined;
    const attempt = new Attempt(
      { translation, streamOf: undefined, room },
      {
        answered: (answer) => resolve({ ok: true, answer }),
        failed: (failure) => resolve({ ok: false, failure }),
        streamed: unexpected,
        streamEnded: unexpected,
      },
    );
    attempt.send(client, request);
  });
}

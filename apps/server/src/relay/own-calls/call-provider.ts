import type { Failure } from "@one-api/providers/failure";
import type { UpstreamCall } from "@one-api/providers/provider";
import type { Dispatcher } from "undici";
import type { RelayAsk } from "../body/parse-request.ts";
import type { Route } from "../routing/find-candidates.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import type { Translation } from "../translate/translation.ts";
import { Attempt, type UpstreamAnswer } from "../upstream/attempt.ts";
import type { ByteClaim } from "../../platform/memory/byte-budget.ts";
import { failureOfUncalled } from "../upstream/read-failure.ts";

/** A question of the gateway's own, as it goes to a provider. */
export interface OwnQuestion {
  readonly ask: RelayAsk;
  readonly translation: Translation;
  readonly call: UpstreamCall;
}

/** Puts a question of the gateway's own into the words of the route's provider. Rejects with a readable error where the channel cannot be called. */
export async function prepareQuestion(
  { translate, providerIo }: Pick<RelayDependencies, "translate" | "providerIo">,
  ask: RelayAsk,
  { service, upstreamModel, channel }: Pick<Route, "service" | "upstreamModel" | "channel">,
): Promise<OwnQuestion> {
  const translation = translate(ask.format, service);
  const edits = { model: upstreamModel, systemPrompt: "", maxTokens: undefined, reportUsage: false };
  return {
    ask,
    translation,
    call: await service.call(translation.writeRequest(ask, edits), channel.connection, providerIo),
  };
}

export type FetchAnswerResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** The gateway's own questions get short answers: they are not counted. */
const uncounted: ByteClaim = { take: () => true, give: () => undefined, release: () => undefined };

/** Its own questions are none for pictures. */
const unfetched = () => Promise.reject(new Error("The gateway asks for no pictures."));

/** Asks a provider for a whole answer on the gateway's own behalf, in the form of who asked. Never rejects. */
export async function fetchAnswer(
  client: Dispatcher,
  question: OwnQuestion,
  timeoutMs: number,
): Promise<FetchAnswerResult> {
  const result = await fetchOnce(client, question, timeoutMs);
  if (result.ok) return result;
  try {
    const call = await question.call.renew?.(result.failure);
    return call === undefined ? result : await fetchOnce(client, { ...question, call }, timeoutMs);
  } catch {
    return result;
  }
}

/** Asks the route's provider a question of the gateway's own. A channel that cannot be called is a failure. Rejects with a RelayError alone. */
export async function askOnce(
  deps: Pick<RelayDependencies, "translate" | "providerIo" | "client" | "log">,
  ask: RelayAsk,
  route: Pick<Route, "service" | "upstreamModel" | "channel">,
  timeoutMs: number,
): Promise<FetchAnswerResult> {
  try {
    return await fetchAnswer(deps.client, await prepareQuestion(deps, ask, route), timeoutMs);
  } catch (error) {
    const failure = failureOfUncalled(error, deps.log, { channelId: route.channel.id });
    if (failure === undefined) throw error;
    return { ok: false, failure };
  }
}

function fetchOnce(
  client: Dispatcher,
  { ask, translation, call }: OwnQuestion,
  timeoutMs: number,
): Promise<FetchAnswerResult> {
  return new Promise((resolve) => {
    const unexpected = () => undefined;
    const attempt = new Attempt(
      { translation, ask, stream: false, fetchPicture: unfetched },
      {
        answered: (answer) => resolve({ ok: true, answer }),
        failed: (failure) => {
          call.giveUp?.();
          resolve({ ok: false, failure });
        },
        streamed: unexpected,
        streamEnded: unexpected,
        claimRoom: () => uncounted,
      },
    );
    attempt.send(client, {
      ...call,
      firstByteTimeoutMs: timeoutMs,
      firstContentTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
    });
  });
}

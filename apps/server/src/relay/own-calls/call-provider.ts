import type { Failure } from "@one-api/providers/failure";
import type { UpstreamCall } from "@one-api/providers/provider";
import type { Dispatcher } from "undici";
import type { ParsedRequest } from "../body/index.ts";
import type { Candidate } from "../routing/index.ts";
import type { Translation } from "../translate/index.ts";
import { Attempt, failureOfUncalled, type UpstreamAnswer, type UpstreamServices } from "../upstream/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";

/** A question of the gateway's own, as it goes to a provider. */
export interface OwnCall {
  readonly ask: ParsedRequest;
  readonly translation: Translation;
  readonly call: UpstreamCall;
}

/** Puts a question of the gateway's own into the words of the route's provider. Rejects with a readable error where the channel cannot be called. */
export async function prepareCall(
  { translate, providerIo }: Pick<UpstreamServices, "translate" | "providerIo">,
  ask: ParsedRequest,
  { service, upstreamModel, channel }: Pick<Candidate, "service" | "upstreamModel" | "channel">,
): Promise<OwnCall> {
  const translation = translate(ask.format, service);
  const edits = { model: upstreamModel, systemPrompt: "", maxTokens: undefined, reportUsage: false };
  return {
    ask,
    translation,
    call: await service.call(translation.writeRequest(ask, edits), channel.connection, providerIo),
  };
}

export type CallResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** The gateway's own questions get short answers: they are not counted. */
const uncounted: MemoryClaim = { take: () => true, give: () => undefined, release: () => undefined };

/** Its own questions are none for pictures. */
const unfetched = () => Promise.reject(new Error("The gateway asks for no pictures."));

/** Asks a provider for a whole answer on the gateway's own behalf, in the form of who asked. Never rejects. */
export async function callProvider(client: Dispatcher, question: OwnCall, timeoutMs: number): Promise<CallResult> {
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
export async function callOnce(
  services: Pick<UpstreamServices, "translate" | "providerIo" | "client" | "log">,
  ask: ParsedRequest,
  route: Pick<Candidate, "service" | "upstreamModel" | "channel">,
  timeoutMs: number,
): Promise<CallResult> {
  try {
    return await callProvider(services.client, await prepareCall(services, ask, route), timeoutMs);
  } catch (error) {
    const failure = failureOfUncalled(error, services.log, { channelId: route.channel.id });
    if (failure === undefined) throw error;
    return { ok: false, failure };
  }
}

function fetchOnce(client: Dispatcher, { ask, translation, call }: OwnCall, timeoutMs: number): Promise<CallResult> {
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
        claimMemory: () => uncounted,
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

import {
  describeOutcome,
  endOfError,
  gatewayMs,
  nameOf,
  type Outcome,
  type ReservedRequest,
  resultOf,
  settle,
  undelivered,
} from "../charging/index.ts";
import type { UpstreamAnswer } from "../upstream/index.ts";
import type { Attempts } from "./attempts.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import type { MeasuredAnswer, MeasuredUsage } from "./measure-usage.ts";
import type { Reply, StreamEnding } from "./reply.ts";
import type { RequestServices } from "./request-services.ts";
import type { StreamMeter } from "./stream-meter.ts";

export interface ServedRequest {
  readonly request: ReservedRequest;
  readonly attempts: Attempts;
  readonly reply: Reply;
}

export interface SettlingRequest {
  readonly isCallerGone: boolean;
  /** Called once, after the end of the answer was sent. */
  settled(outcome: Outcome): void;
}

/** Commits the charge of a whole answer, then sends it. `visibleTokens` raise the upper bound: they were counted in an answer above its limit. */
export function settleAnswer(
  services: RequestServices,
  served: ServedRequest,
  settling: SettlingRequest,
  answer: UpstreamAnswer,
  { usage, rule, visibleTokens }: MeasuredAnswer,
): void {
  const { request, attempts, reply } = served;
  const { parsed, most } = request;
  const completionTokens = Math.max(most.completionTokens, visibleTokens);
  const facts = { usage, rule, end: "complete", result: "ok", statusCode: answer.status } as const;
  const outcome = describeOutcome({ parsed, most: { ...most, completionTokens } }, attempts, facts);
  const late = () => undelivered(outcome);
  settleThenSend(services, served, settling, outcome, late, (error) => {
    if (error !== undefined) return reply.refuse(error);
    services.storedObjects.recordResponse(answer.storedId, request.caller, outcome.route?.id ?? 0);
    const told = usage === answer.usage ? undefined : outcome.usage && answer.writeUsage?.(outcome.usage);
    reply.sendWhole(told ?? answer.bytes, {
      written: outcome.written,
      model: outcome.route?.model,
      contentType: answer.contentType,
      gatewayMs: gatewayMs(request, outcome, services.clock.monotonicMs()),
    });
  });
}

/** Commits the charge of a stream, then sends its end. A stream of which nothing has left is not charged after a late commit. */
export function settleStream(
  services: RequestServices,
  served: ServedRequest,
  settling: SettlingRequest,
  { stream }: StreamMeter,
  { usage, rule }: MeasuredUsage,
  ending: StreamEnding,
): void {
  const { request, attempts, reply } = served;
  const { cut } = ending;
  const statusCode = stream instanceof AwaitedAnswer ? stream.statusCode : 200;
  const facts = { usage, rule, end: nameOf(cut), result: resultOf(cut), statusCode };
  const outcome = describeOutcome(request, attempts, facts);
  const { hasBegun } = reply;
  const late = () => (hasBegun ? outcome : undelivered(outcome));
  settleThenSend(services, served, settling, outcome, late, (error) => {
    // An answer that is not paid in full cannot be retrieved later.
    if (cut === undefined && error === undefined)
      services.storedObjects.recordResponse(stream.storedId, request.caller, outcome.route?.id ?? 0);
    if (settling.isCallerGone) return;
    const head = { written: attempts.written, model: attempts.route?.model, contentType: stream.contentType };
    if (error === undefined) reply.endStream(stream, head, ending, outcome.usage);
    else reply.endUnbooked(stream, ending, error);
  });
}

/** Ends a request without a charge: with the error that is answered, or without one where the caller is gone. */
export function settleUnanswered(
  services: RequestServices,
  served: ServedRequest,
  settling: SettlingRequest,
  error?: unknown,
): void {
  const outcome = describeOutcome(
    served.request,
    served.attempts,
    error === undefined ? CALLER_GONE : endOfError(error),
  );
  const late = () => outcome;
  settleThenSend(services, served, settling, outcome, late, () => {
    if (error !== undefined) served.reply.refuse(error);
  });
}

const CALLER_GONE = {
  usage: undefined,
  rule: "none",
  statusCode: 0,
  end: "caller-gone",
  result: "caller-gone",
} as const;

function settleThenSend(
  services: RequestServices,
  { request, reply }: ServedRequest,
  settling: SettlingRequest,
  outcome: Outcome,
  late: () => Outcome,
  send: (error: Error | undefined) => void,
): void {
  settle(services, request, { end: outcome, late }, (error) => {
    try {
      send(error);
    } catch (thrown) {
      reply.breakOff();
      services.log.error({ err: thrown, requestId: request.requestId }, "a booked answer could not be sent");
    }
    reply.finished(true);
    settling.settled(outcome);
  });
}

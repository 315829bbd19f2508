import type { Usage } from "@one-api/providers/usage";
import { nowSeconds } from "../../platform/clock.ts";
import { payerOf } from "../callers/index.ts";
import { mediaSoFar, type Outcome, type ReservedRequest } from "../charging/index.ts";
import { UpstreamFailedError } from "../errors/index.ts";
import { computeCharge } from "../pricing/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { countAnswer, countStream, isWholeReport } from "../usage/index.ts";
import type { UpstreamAnswer } from "../upstream/index.ts";
import type { Attempts } from "./attempts.ts";
import { limitIgnored, mostVisibleTokens } from "./output-limit.ts";
import type { StreamEnding } from "./reply.ts";
import type { RequestServices } from "./request-services.ts";
import type { StreamMeter } from "./stream-meter.ts";

export interface MeasuredUsage {
  readonly usage: Usage;
  readonly rule: Outcome["rule"];
}

export interface MeasuredAnswer extends MeasuredUsage {
  /** Visible tokens as counted here, where the answer is above its limit; else 0. */
  readonly visibleTokens: number;
}

type MeasuringServices = Pick<RequestServices, "countTokens" | "translate" | "ledger" | "clock">;

/** Returns the reported usage of a whole answer; undefined where the report is incomplete or above the limit of the answer. */
export function reportedUsage(
  request: ReservedRequest,
  route: PricedCandidate,
  { usage }: UpstreamAnswer,
): Usage | undefined {
  if (usage === undefined || !isWholeReport(request.parsed, route, usage)) return undefined;
  return usage.completionTokens <= mostVisibleTokens(request) ? usage : undefined;
}

/**
 * Measures a whole answer without a report, or above its limit. All visible tokens above the limit are charged; throws an UpstreamFailedError where
 * the balance does not cover them.
 */
export async function measureAnswer(
  services: MeasuringServices,
  request: ReservedRequest,
  route: PricedCandidate,
  answer: UpstreamAnswer,
  attempts: Attempts,
): Promise<MeasuredAnswer> {
  const { countTokens, ledger, clock } = services;
  const { parsed, caller, reserved } = request;
  const { usage: reported } = answer;
  const readText = () => services.translate(parsed.format, route.service).answerText(answer.bytes);
  const measured: MeasuredUsage =
    reported !== undefined && isWholeReport(parsed, route, reported)
      ? { usage: reported, rule: "usage" }
      : await askOrCount(attempts, () => countAnswer(countTokens, parsed, route, readText, reported));
  const most = mostVisibleTokens(request);
  if (measured.usage.completionTokens <= most) return { ...measured, visibleTokens: 0 };
  const visibleTokens = countTokens.text(readText());
  const charge = computeCharge(measured.usage, route.price);
  if (visibleTokens > most && charge > reserved) {
    const balance = await ledger.available(payerOf(caller), nowSeconds(clock));
    if (charge - reserved > balance) throw new UpstreamFailedError(limitIgnored(), "bad-answer", answer.status);
  }
  return { ...measured, visibleTokens };
}

export interface StreamMeasuring {
  /** Called once, at once where nothing has to be counted. */
  streamMeasured(meter: StreamMeter, measured: MeasuredUsage, ending: StreamEnding): void;
}

/**
 * Measures a stream: by its complete report, by delivered media, by a question to its provider, else by a count. A
 * failed count is replaced by the estimate so far.
 */
export function measureStream(
  { countTokens }: MeasuringServices,
  { parsed }: ReservedRequest,
  attempts: Attempts,
  meter: StreamMeter,
  ending: StreamEnding,
  measuring: StreamMeasuring,
): void {
  const { route, stream, delivered } = meter;
  const { usage: reported } = stream;
  const isWhole = ending.cut === undefined;
  const rule = isWhole ? "estimated" : "partial";
  if (isWhole && reported !== undefined && isWholeReport(parsed, route, reported))
    return measuring.streamMeasured(meter, { usage: reported, rule: "usage" }, ending);
  if (parsed.media !== undefined && parsed.media.kind !== "ranking")
    return measuring.streamMeasured(meter, { usage: mediaSoFar(stream), rule }, ending);
  const count = () => countStream(countTokens, parsed, route, delivered);
  const counted = isWhole ? askOrCount(attempts, count) : count().then((usage) => ({ usage, rule }) as const);
  counted.then(
    (measured) => measuring.streamMeasured(meter, measured, ending),
    () => measuring.streamMeasured(meter, { usage: meter.usageSoFar(), rule }, ending),
  );
}

async function askOrCount(attempts: Attempts, count: () => Promise<Usage>): Promise<MeasuredUsage> {
  const told = await attempts.askUsage();
  return told === undefined ? { usage: await count(), rule: "estimated" } : { usage: told, rule: "usage" };
}

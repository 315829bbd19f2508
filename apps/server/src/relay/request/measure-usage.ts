import type { Usage } from "@one-api/providers/usage";
import { nowSeconds } from "../../platform/clock.ts";
import { payerOf } from "../callers/index.ts";
import { mediaSoFar, type Outcome, type ReservedRequest } from "../charging/index.ts";
import { UpstreamFailedError } from "../errors/index.ts";
import { computeCharge } from "../pricing/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { countAnswer, countStream, type DeliveredStream, isWholeReport } from "../usage/index.ts";
import type { AnswerStream } from "../translate/index.ts";
import type { UpstreamAnswer } from "../upstream/index.ts";
import { limitIgnored, mostVisibleTokens } from "./output-limit.ts";
import type { RequestServices } from "./request-services.ts";

/** Usage of an answer and its source. */
export interface MeasuredUsage {
  readonly usage: Usage;
  readonly rule: Outcome["rule"];
}

/** Usage of a whole answer. */
export interface MeasuredAnswer extends MeasuredUsage {
  /** Visible tokens as counted here, where the answer is above its limit; else 0. */
  readonly visibleTokens: number;
}

/** Asks the provider for the usage of an answer that does not report it. Undefined where the provider cannot be asked, or does not know. */
type AskUsage = () => Promise<Usage | undefined> | undefined;

type MeasuringServices = Pick<RequestServices, "countTokens" | "translate" | "ledger" | "clock">;

/** Returns the reported usage of a whole answer; undefined where the report is incomplete or above the limit of the answer. */
export function reportedUsage(
  request: ReservedRequest,
  route: PricedCandidate,
  { usage }: UpstreamAnswer,
): Usage | undefined {
  if (usage === undefined || !isWholeReport(request.ask, route, usage)) return undefined;
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
  askUsage: AskUsage,
): Promise<MeasuredAnswer> {
  const { countTokens, ledger, clock } = services;
  const { ask, caller, reserved } = request;
  const { usage: reported } = answer;
  const readText = () => services.translate(ask.format, route.service).answerText(answer.bytes);
  const measured: MeasuredUsage =
    reported !== undefined && isWholeReport(ask, route, reported)
      ? { usage: reported, rule: "usage" }
      : await askOrCount(askUsage, () => countAnswer(countTokens, ask, route, readText, reported));
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

/** Returns the usage of a stream that needs no count: the complete report of a whole stream, or what a medium has delivered so far. */
export function knownUsage(
  { ask }: ReservedRequest,
  route: PricedCandidate,
  stream: AnswerStream,
  isWhole: boolean,
): MeasuredUsage | undefined {
  const reported = stream.usage;
  if (isWhole && reported !== undefined && isWholeReport(ask, route, reported))
    return { usage: reported, rule: "usage" };
  if (ask.media === undefined || ask.media.kind === "ranking") return undefined;
  return { usage: mediaSoFar(stream), rule: ruleWithoutReport(isWhole) };
}

/** Counts a stream. A whole stream may be measured by its provider instead, which an interrupted one never is. */
export async function measureStream(
  { countTokens }: MeasuringServices,
  { ask }: ReservedRequest,
  route: PricedCandidate,
  delivered: DeliveredStream,
  askUsage: AskUsage | undefined,
): Promise<MeasuredUsage> {
  const count = () => countStream(countTokens, ask, route, delivered);
  return askUsage === undefined ? { usage: await count(), rule: "partial" } : askOrCount(askUsage, count);
}

/** Source of a stream's usage that its provider has not reported. */
export function ruleWithoutReport(isWhole: boolean): Outcome["rule"] {
  return isWhole ? "estimated" : "partial";
}

async function askOrCount(askUsage: AskUsage, count: () => Promise<Usage>): Promise<MeasuredUsage> {
  const told = await askUsage();
  return told === undefined ? { usage: await count(), rule: "estimated" } : { usage: told, rule: "usage" };
}

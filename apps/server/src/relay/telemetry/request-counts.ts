import type { LogResult } from "@one-api/contract/logs/log";
import type { EndedRequest } from "./ended-request.ts";
import { TimeBuckets } from "./time-buckets.ts";

export interface RequestCount {
  readonly model: string;
  readonly channel: string;
  readonly endpoint: string;
  readonly dialect: string;
  readonly results: Map<LogResult, number>;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  charge: number;
  readonly timing: Timing;
}

export interface Timing {
  readonly model: string;
  readonly channel: string;
  readonly firstToken: TimeBuckets;
  readonly total: TimeBuckets;
}

type AttemptOutcome = "answered" | "limited" | "refused" | "failed" | "no-answer";

const FIRST_TOKEN_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 30_000, 60_000, 120_000];
const TOTAL_MS = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 40_000, 60_000, 120_000, 300_000, 600_000];
const GATEWAY_MS = [0.5, 1, 2, 5, 10, 20, 50, 100, 250, 500, 1_000, 2_500];

/** Stands for all values of a label above the limit, and for models that no channel served. */
const OTHER = "other";
const NONE = "none";
const COMBINATIONS_PER_VALUE = 10;

/**
 * Counts ended requests by labels. Models get a label once a channel served them. Beyond `limit` values of a label, and ten times as many combinations, the rest counts as `other`.
 */
export class RequestCounts {
  readonly #limit: number;
  /** By model, then by channel id; 0 without a channel. */
  readonly #byModel = new Map<string, Map<number, RequestCount[]>>();
  readonly #channels = new Map<number, string>([[0, NONE]]);
  readonly #overflow = new Map<string, RequestCount>();
  readonly counts: RequestCount[] = [];
  readonly timings: Timing[] = [];
  readonly gateway = new Map<string, TimeBuckets>();
  /** By channel, then by outcome. */
  readonly attempts = new Map<string, Map<AttemptOutcome, number>>();
  /** By code, then by the limit per minute that was reached; empty for other refusals. */
  readonly refusals = new Map<string, Map<string, number>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(request: EndedRequest): void {
    const { result, usage, gatewayMs, firstByteMs, elapsedMs, parsed } = request;
    const count = this.#countOf(request);
    count.results.set(result, (count.results.get(result) ?? 0) + 1);
    count.charge += request.charge;
    if (usage !== undefined) {
      count.promptTokens += usage.promptTokens;
      count.cachedTokens += usage.cachedTokens;
      count.completionTokens += usage.completionTokens;
    }
    if (firstByteMs > 0) {
      if (parsed?.stream === true) count.timing.firstToken.add(firstByteMs);
      count.timing.total.add(elapsedMs);
    }
    if (gatewayMs !== undefined) this.#gatewayOf(count.endpoint).add(gatewayMs);
    for (const { channel, status } of request.attempts) this.#addAttempt(this.#channelOf(channel), status);
    if (result === "refused" || result === "over-budget") this.#addRefusal(request.end, request.limited);
  }

  #countOf({ arrival, parsed, route }: EndedRequest): RequestCount {
    const [endpoint, dialect] = [parsed?.endpoint ?? NONE, arrival.dialect.name];
    const model = this.#modelOf(parsed?.model ?? "", route !== undefined);
    const channelId = route?.id ?? 0;
    const channels = this.#byModel.get(model) ?? new Map<number, RequestCount[]>();
    const known = channels.get(channelId);
    const found = known?.find((count) => count.endpoint === endpoint && count.dialect === dialect);
    if (found !== undefined) return found;
    if (this.counts.length >= this.#limit * COMBINATIONS_PER_VALUE) return this.#overflowOf(endpoint, dialect);
    const labels = { model, channel: this.#channelOf(channelId), endpoint, dialect };
    const count = newCount(labels, known?.[0]?.timing ?? this.#timingOf(model, labels.channel));
    this.#byModel.set(model, channels);
    channels.set(channelId, [...(known ?? []), count]);
    this.counts.push(count);
    return count;
  }

  /** A model that no channel served may be any text of a caller. */
  #modelOf(model: string, isServed: boolean): string {
    if (model === "") return NONE;
    if (this.#byModel.has(model)) return model;
    return isServed && this.#byModel.size < this.#limit ? model : OTHER;
  }

  #channelOf(channelId: number): string {
    let label = this.#channels.get(channelId);
    if (label !== undefined) return label;
    if (this.#channels.size > this.#limit) return OTHER;
    label = String(channelId);
    this.#channels.set(channelId, label);
    return label;
  }

  #overflowOf(endpoint: string, dialect: string): RequestCount {
    const key = `${endpoint} ${dialect}`;
    const labels = { model: OTHER, channel: OTHER, endpoint, dialect };
    const count = this.#overflow.get(key) ?? newCount(labels, this.#timingOf(OTHER, OTHER));
    if (!this.#overflow.has(key)) this.counts.push(count);
    this.#overflow.set(key, count);
    return count;
  }

  #timingOf(model: string, channel: string): Timing {
    const known = this.timings.find((timing) => timing.model === model && timing.channel === channel);
    if (known !== undefined) return known;
    const timing = {
      model,
      channel,
      firstToken: new TimeBuckets(FIRST_TOKEN_MS),
      total: new TimeBuckets(TOTAL_MS),
    };
    this.timings.push(timing);
    return timing;
  }

  #gatewayOf(endpoint: string): TimeBuckets {
    const known = this.gateway.get(endpoint);
    if (known !== undefined) return known;
    const buckets = new TimeBuckets(GATEWAY_MS);
    this.gateway.set(endpoint, buckets);
    return buckets;
  }

  #addAttempt(channel: string, status: number): void {
    const outcomes = this.attempts.get(channel) ?? new Map<AttemptOutcome, number>();
    const outcome = outcomeOf(status);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.attempts.set(channel, outcomes);
  }

  #addRefusal(code: string, limited: string): void {
    const label = this.refusals.has(code) || this.refusals.size < this.#limit ? code : OTHER;
    const limits = this.refusals.get(label) ?? new Map<string, number>();
    limits.set(limited, (limits.get(limited) ?? 0) + 1);
    this.refusals.set(label, limits);
  }
}

function newCount(
  labels: Pick<RequestCount, "model" | "channel" | "endpoint" | "dialect">,
  timing: Timing,
): RequestCount {
  return { ...labels, results: new Map(), promptTokens: 0, cachedTokens: 0, completionTokens: 0, charge: 0, timing };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status === 0) return "no-answer";
  if (status < 400) return "answered";
  if (status === 429) return "limited";
  return status < 500 ? "refused" : "failed";
}

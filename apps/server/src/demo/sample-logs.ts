import { writeFacts } from "@one-api/contract/logs/alias-facts";
import type { ChannelCosts } from "@one-api/contract/channels/channel-json";
import { LOG_TYPE, type LogResult } from "@one-api/contract/logs/log";
import { NO_USAGE } from "@one-api/providers/usage";
import type { OptionStore } from "../core/option-store.ts";
import { type UsageDetail, writeDetail } from "../features/logs/index.ts";
import { type Ledger, type LogRow, whenSettled } from "@one-api/ledger/ledger";
import { computeCharge, computeCost, costOfModel, priceModel, toUsageCharge } from "../relay/pricing/index.ts";

export interface SampleToken {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly username: string;
}

const DAYS = 30;
const CHANNELS = 4;
const CALLS_PER_DAY = 36;
const DAY_SECONDS = 86_400;
export const SAMPLE_ALIASES = { fast: { "gpt-4o-mini": 75, "gpt-4.1-mini": 25 } } as const;
const EXPERIMENT = { alias: "fast", otherModel: "gpt-4.1-mini" } as const;

/** Model, channel id, and its share of twelve calls; the alias that all its calls name. */
const MIX: readonly SampleModel[] = [
  { model: "gpt-4o-mini", channel: 1, part: 5, ...EXPERIMENT },
  // Cheaper than the list price.
  { model: "gpt-4o", channel: 2, part: 2, costs: { "*": { factor: 0.7 } } },
  { model: "gpt-4.1-mini", channel: 1, part: 2, ...EXPERIMENT, otherModel: "gpt-4o-mini" },
  { model: "deepseek-chat", channel: 3, part: 2 },
  { model: "mistral-small-latest", channel: 4, part: 1 },
];

interface SampleModel {
  readonly model: string;
  readonly channel: number;
  readonly part: number;
  readonly costs?: ChannelCosts;
  readonly alias?: string;
  readonly otherModel?: string;
}

/** Charges a month of sample calls through the ledger, so that balances, ledger and log agree. */
export async function bookSampleCalls(
  ledger: Ledger,
  options: OptionStore,
  tokens: readonly SampleToken[],
  nowSeconds: number,
): Promise<void> {
  const random = seededRandom(20_261_121);
  const models = MIX.flatMap((entry) => Array.from({ length: entry.part }, () => entry));
  const calls = Array.from({ length: DAYS * CALLS_PER_DAY }, (_, index) => {
    const day = DAYS - Math.floor(index / CALLS_PER_DAY);
    return nowSeconds - day * DAY_SECONDS + Math.floor(random() * DAY_SECONDS);
  }).sort((left, right) => left - right);
  // One by one, as the ledger orders a group of charges by user.
  for (const [index, at] of calls.entries()) {
    const token = tokens[Math.floor(random() * tokens.length)];
    const target = models[Math.floor(random() * models.length)];
    if (token !== undefined && target !== undefined)
      await bookCall(ledger, options, { token, ...target, at, id: `demo-${index}`, random });
  }
}

interface SampleCall extends Omit<SampleModel, "part"> {
  readonly token: SampleToken;
  readonly at: number;
  readonly id: string;
  readonly random: () => number;
}

interface Outcome {
  /** Upper bound of the random number, from 0 to 1, for this outcome. The list is ordered by it. */
  readonly upTo: number;
  readonly result: LogResult;
  readonly statusCode: number;
  readonly end: string;
  /** True if something was delivered, which is charged. */
  readonly charged: boolean;
  /** The provider's words, in which the call's number stands for `#`. */
  readonly message?: string;
}

const WELL: Outcome = { upTo: 1, result: "ok", statusCode: 200, end: "complete", charged: true };
const CALLS_PER_FAILOVER = 20;
const FAILED_ATTEMPT_MS = 310;

/** Failures in a month of a healthy gateway. All other calls succeed. */
const OUTCOMES: readonly Outcome[] = [
  { upTo: 0.01, result: "cut", statusCode: 200, end: "broken-stream", charged: true },
  { upTo: 0.03, result: "caller-gone", statusCode: 200, end: "caller-gone", charged: true },
  {
    upTo: 0.045,
    result: "provider-limited",
    statusCode: 429,
    end: "rate-limited",
    charged: false,
    message: "Rate limit reached: limit 500 requests per minute. Request req_#.",
  },
  {
    upTo: 0.055,
    result: "provider-failed",
    statusCode: 503,
    end: "overloaded",
    charged: false,
    message: "The engine is overloaded, try again later. Request req_#.",
  },
  { upTo: 0.06, result: "timeout", statusCode: 0, end: "timeout", charged: false },
  { upTo: 0.065, result: "connection", statusCode: 0, end: "connection", charged: false },
];

async function bookCall(ledger: Ledger, options: OptionStore, call: SampleCall): Promise<void> {
  const { token, model, channel, at, id, random, costs = {}, alias, otherModel } = call;
  const luck = random();
  const outcome = OUTCOMES.find(({ upTo }) => luck < upTo) ?? WELL;
  const promptTokens = 40 + Math.floor(random() ** 3 * 6_000);
  const completionTokens = 20 + Math.floor(random() ** 2 * 1_200);
  const cachedTokens = promptTokens > 600 ? Math.floor(promptTokens * 0.4) : 0;
  const usage = { ...NO_USAGE, promptTokens, cachedTokens, completionTokens };
  const price = priceModel(options, { model, type: 1, group: "default" });
  const charge = computeCharge(usage, price);
  const payer = { requestId: id, userId: token.userId, tokenId: token.id, tokenUnlimited: false };
  const servedMs = 300 + completionTokens * 9 + Math.floor(random() * 700);
  const servedFirstMs = Math.min(180 + Math.floor(random() * 400), Math.floor(servedMs / 2));
  const isStream = random() < 0.6;
  const reserved = await ledger.reserve({ ...payer, amount: charge, createdAt: at });
  if (!reserved.ok) return;
  const { charged, statusCode, end, message } = outcome;
  const failed = [end, message?.replace("#", String(at))].filter((part) => part !== undefined).join(": ");
  const attempt = charged ? { failure: "", duration_ms: servedFirstMs } : { failure: failed, duration_ms: servedMs };
  const before = outcome === WELL && at % CALLS_PER_FAILOVER === 0 ? [failedAttempt(channel, otherModel)] : [];
  const lostMs = before.length * FAILED_ATTEMPT_MS;
  const detail: UsageDetail = {
    end,
    upstream_model: model,
    ...(alias !== undefined && { alias }),
    attempts: [...before, { channel, status: statusCode, ...attempt }],
    ...(charged ? { charge: toUsageCharge(usage, price, outcome.result === "ok" ? "usage" : "partial") } : {}),
  };
  const row = {
    user_id: token.userId,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: "",
    username: token.username,
    token_name: token.name,
    model_name: model,
    prompt_tokens: charged ? promptTokens : 0,
    cached_tokens: charged ? usage.cachedTokens : 0,
    completion_tokens: charged ? completionTokens : 0,
    channel_id: channel,
    request_id: id,
    elapsed_time: servedMs + lostMs,
    is_stream: isStream ? 1 : 0,
    detail: "",
    result: outcome.result,
    status_code: statusCode,
    cost: charged ? computeCost(usage, costOfModel(model, 1, costs)) : 0,
    first_byte_ms: charged ? servedFirstMs + lostMs : 0,
    ...(alias !== undefined && {
      alias,
      alias_facts: writeFacts({ promptTokens, hasTools: at % 5 === 0, hasImages: false }),
    }),
    ...(otherModel !== undefined && before.length > 0 && { first_model: otherModel }),
  } satisfies LogRow;
  const log = { ...row, detail: writeDetail(detail, row) };
  await whenSettled(ledger, { ...payer, channelId: channel, charge: charged ? charge : undefined, at, log });
}

/** Of another channel, before the one that served the call. */
function failedAttempt(channel: number, model: string | undefined): UsageDetail["attempts"][number] {
  return {
    ...(model !== undefined && { model }),
    channel: (channel % CHANNELS) + 1,
    status: 503,
    failure: "overloaded: The engine is overloaded, try again later.",
    duration_ms: FAILED_ATTEMPT_MS,
  };
}

/** mulberry32 with a seed, so that every demo looks the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

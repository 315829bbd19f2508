import { LOG_TYPE } from "@one-api/contract/log";
import { NO_USAGE } from "@one-api/providers/usage";
import type { OptionStore } from "../core/option-store.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { computeCharge, describeCharge } from "../relay/pricing/compute-charge.ts";
import { priceModel } from "../relay/pricing/price-model.ts";

/** A token that sample calls are booked on. */
export interface SampleToken {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly username: string;
}

const DAYS = 30;
const CALLS_PER_DAY = 36;
const DAY_SECONDS = 86_400;
/** Model, channel id and how many of twelve calls go there. */
const MIX = [
  { model: "gpt-4o-mini", channel: 1, part: 5 },
  { model: "gpt-4o", channel: 2, part: 2 },
  { model: "gpt-4.1-mini", channel: 1, part: 2 },
  { model: "deepseek-chat", channel: 3, part: 2 },
  { model: "mistral-small-latest", channel: 4, part: 1 },
];

/** Books a month of sample calls through the ledger, so that balances, ledger and logs agree as they do in use. */
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
  for (const [index, at] of calls.entries()) {
    const token = tokens[Math.floor(random() * tokens.length)];
    const target = models[Math.floor(random() * models.length)];
    if (token !== undefined && target !== undefined)
      await bookCall(ledger, options, { token, ...target, at, id: `demo-${index}`, random });
  }
}

interface SampleCall {
  readonly token: SampleToken;
  readonly model: string;
  readonly channel: number;
  readonly at: number;
  readonly id: string;
  readonly random: () => number;
}

async function bookCall(ledger: Ledger, options: OptionStore, call: SampleCall): Promise<void> {
  const { token, model, channel, at, id, random } = call;
  const promptTokens = 40 + Math.floor(random() ** 3 * 6_000);
  const completionTokens = 20 + Math.floor(random() ** 2 * 1_200);
  const usage = { ...NO_USAGE, promptTokens, completionTokens };
  const price = priceModel(options, model, 1, "default");
  const charge = computeCharge(usage, price);
  const payer = { requestId: id, userId: token.userId, tokenId: token.id, tokenUnlimited: false };
  const reserved = await ledger.reserve({ ...payer, amount: charge, createdAt: at });
  if (!reserved.ok) return;
  const elapsed = 300 + completionTokens * 9 + Math.floor(random() * 700);
  const detail = {
    end: "complete",
    first_byte_ms: 180 + Math.floor(random() * 400),
    upstream_model: model,
    attempts: [{ channel, status: 200, failure: "", duration_ms: elapsed }],
    charge: {
      model_ratio: price.modelRatio,
      completion_ratio: price.completionRatio,
      group_ratio: price.groupRatio,
      cached_tokens: 0,
      rule: "usage",
      formula: describeCharge(usage, price, charge),
    },
  };
  await ledger.settle({
    ...payer,
    channelId: channel,
    charge,
    at,
    log: {
      user_id: token.userId,
      created_at: at,
      type: LOG_TYPE.consumption,
      content: `Model ratio ${price.modelRatio} × group ratio ${price.groupRatio}, completion ratio ${price.completionRatio}.`,
      username: token.username,
      token_name: token.name,
      model_name: model,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      channel_id: channel,
      request_id: id,
      elapsed_time: elapsed,
      is_stream: random() < 0.6 ? 1 : 0,
      detail: JSON.stringify(detail),
      result: "ok",
      status_code: 200,
    },
  });
}

/** A small generator with a seed (mulberry32), so that every demo looks the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

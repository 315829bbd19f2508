import { type getTroubles, MAX_TROUBLES } from "@one-api/contract/usage/dashboard";
import { isTroubledRate } from "@one-api/contract/usage/troubled-rate";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type ChannelCooldowns, countChannelsByStatus, listTroubledChannels, nameChannels } from "../channels/index.ts";
import { NO_USAGE_FILTER, SLOT_SECONDS, type UsageQuestion, type UsageRow } from "@one-api/log-store/questions";
import { askLog } from "../logs/index.ts";
import { listRefusedModels, type RefusedModelsDeps } from "../pricing/index.ts";
import { listShortUsers } from "../users/index.ts";

const DAY_SECONDS = 24 * 60 * 60;
const MOST_USERS = 500;
const MOST_CHANNELS = 5_000;

type Troubles = z.output<(typeof getTroubles)["data"]>;

interface TroubleSources extends Pick<RefusedModelsDeps, "findRefused"> {
  readonly options: OptionStore;
  readonly cooldowns: ChannelCooldowns;
}

/** Problems that need an administrator's attention, the worst first. At most ten of each kind. */
export async function listTroubles(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  { options, cooldowns, findRefused }: TroubleSources,
): Promise<Troubles> {
  const { database, clock } = context;
  const now = nowSeconds(clock);
  const [byChannel, byUser, refused] = await Promise.all([
    listUsage(context, now, { by: "channel", order: "requests", rows: MOST_CHANNELS }),
    listUsage(context, now, { by: "user", order: "spend", rows: MOST_USERS }),
    listRefusedModels(context, { options, findRefused }),
  ]);
  const ofChannel = new Map(byChannel.map(({ key, usage }) => [Number(key), usage]));
  const marks = { now, balanceBelow: options.number("ChannelBalanceRemindThreshold"), most: MAX_TROUBLES };
  const { failing, sleeping, balances } = await listTroubledChannels(database.db, cooldowns, marks);
  const known = failing.map((channel) => {
    const { requests = 0, errors = 0 } = ofChannel.get(channel.id) ?? {};
    return { ...channel, requests, errors };
  });
  const counts = await countChannelsByStatus(database.db, now);
  return {
    channels: [...known, ...(await listByErrors(database.db, byChannel, new Set(failing.map(({ id }) => id))))].slice(
      0,
      MAX_TROUBLES,
    ),
    sleeping: [...sleeping],
    channel_balances: [...balances],
    user_balances: await listShortUsers(database.db, {
      ids: byUser.map(({ key }) => Number(key)),
      below: options.number("QuotaRemindThreshold"),
      most: MAX_TROUBLES,
    }),
    unpriced_models: refused
      .slice(0, MAX_TROUBLES)
      .map(({ model, priceOf, requests }) => ({ model, price_of: priceOf, requests })),
    has_channels: counts.some(({ count }) => count > 0),
  };
}

async function listUsage(
  context: Pick<CallContext, "logStore" | "signal">,
  now: number,
  question: Pick<UsageQuestion, "by" | "order" | "rows">,
): Promise<readonly UsageRow[]> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: [now - DAY_SECONDS, now + SLOT_SECONDS],
    split: 0,
    times: "none",
    ...question,
  });
  return answer.rows;
}

async function listByErrors(
  queryable: CallContext["database"]["db"],
  usage: readonly UsageRow[],
  known: ReadonlySet<number>,
): Promise<Troubles["channels"]> {
  const failing = usage
    .map(({ key, usage: { requests, errors } }) => ({ id: Number(key), requests, errors }))
    .filter((day) => day.id !== 0 && !known.has(day.id) && isTroubledRate(day))
    .toSorted((left, right) => right.errors - left.errors)
    .slice(0, MAX_TROUBLES);
  const names = await nameChannels(
    queryable,
    failing.map(({ id }) => id),
  );
  return failing.flatMap(({ id, requests, errors }) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name, trouble: "errors" as const, reason: "", requests, errors }];
  });
}

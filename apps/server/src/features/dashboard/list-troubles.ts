import { type getTroubles, MAX_TROUBLES } from "@one-api/contract/usage/dashboard";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type ChannelSleep, listTroubledChannels, nameChannels } from "../channels/index.ts";
import { readUsage, SLOT_SECONDS, type SumTable } from "../usage/index.ts";
import { listShortUsers } from "../users/index.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** A channel fails when so many of its requests of a day did, and no less than this part of them. */
const LEAST_ERRORS = 5;
const LEAST_ERROR_RATE = 0.2;
/** Of those who called, the ones who spent most are looked at. */
const MOST_USERS = 500;

type Troubles = z.output<(typeof getTroubles)["data"]>;

interface TroubleSources {
  readonly options: OptionStore;
  readonly sleep: ChannelSleep;
}

/** What an administrator should look at now, the worst first; at most ten of each kind. */
export async function listTroubles(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  { options, sleep }: TroubleSources,
): Promise<Troubles> {
  const now = nowSeconds(clock);
  const edges = [now - DAY_SECONDS, now + SLOT_SECONDS];
  const [byChannel, byUser] = await Promise.all([
    readUsage(database, { edges, by: "channel", userId: 0 }),
    readUsage(database, { edges, by: "user", userId: 0 }),
  ]);
  const marks = { now, balanceBelow: options.number("ChannelBalanceRemindThreshold"), most: MAX_TROUBLES };
  const { failing, sleeping, balances } = await listTroubledChannels(database.db, sleep, marks);
  const known = failing.map((channel) => {
    const { requests, errors } = byChannel.table.sumsOf(channel.id);
    return { ...channel, requests, errors };
  });
  const active = [...byUser.table.entries()].sort(([, left], [, right]) => right.quota - left.quota);
  return {
    channels: [
      ...known,
      ...(await listByErrors(database.db, byChannel.table, new Set(failing.map(({ id }) => id)))),
    ].slice(0, MAX_TROUBLES),
    sleeping: [...sleeping],
    channel_balances: [...balances],
    user_balances: await listShortUsers(database.db, {
      ids: active.slice(0, MOST_USERS).map(([key]) => Number(key)),
      below: options.number("QuotaRemindThreshold"),
      most: MAX_TROUBLES,
    }),
  };
}

/** Channels too many of whose requests failed, which nothing else says yet. */
async function listByErrors(
  queryable: CallContext["database"]["db"],
  usage: SumTable,
  known: ReadonlySet<number>,
): Promise<Troubles["channels"]> {
  const failing = [...usage.entries()]
    .map(([key, { requests, errors }]) => ({ id: Number(key), requests, errors }))
    .filter(
      ({ id, requests, errors }) =>
        id !== 0 && !known.has(id) && errors >= LEAST_ERRORS && errors >= requests * LEAST_ERROR_RATE,
    )
    .toSorted((left, right) => right.errors - left.errors)
    .slice(0, MAX_TROUBLES);
  const names = await nameChannels(
    queryable,
    failing.map(({ id }) => id),
  );
  // A channel that is deleted needs nobody's look.
  return failing.flatMap(({ id, requests, errors }) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name, trouble: "errors" as const, reason: "", requests, errors }];
  });
}

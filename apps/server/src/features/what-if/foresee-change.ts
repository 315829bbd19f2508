import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  ForeseenChange,
  foreseeChange as foreseeChangeCall,
  WhatIfTraffic,
} from "@one-api/contract/usage/what-if";
import { WHAT_IF_LIMITS } from "@one-api/contract/usage/what-if-constants";
import { addSums } from "@one-api/log-store/usage-sums";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nameChannels } from "../channels/index.ts";
import { effectOn, type KnownModel, listKnownModels } from "../pricing/index.ts";
import { addTraffic, atOtherPrice, atOtherShares, trafficOf } from "./foresee-traffic.ts";
import { type ModelTraffic, readTraffic } from "./read-traffic.ts";
import type { ForeseenShare, RoutingChange, WhatIfDependencies } from "./what-if-dependencies.ts";

const MODELS_PER_SLICE = 5;

type Input = z.output<(typeof foreseeChangeCall)["body"]>;

interface Foreseen extends ModelTraffic {
  readonly before: WhatIfTraffic;
  readonly after: WhatIfTraffic;
  readonly isAffected: boolean;
  readonly isLost: boolean;
  readonly shares: Shares | undefined;
}

interface Shares {
  readonly present: readonly ForeseenShare[];
  readonly next: readonly ForeseenShare[];
}

/** Estimates the last days of requests with a change that is not made. Throws `log-store-…` and `log-question-too-long`. */
export async function foreseeChange(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  deps: WhatIfDependencies,
  input: Input,
): Promise<ForeseenChange> {
  const traffic = await readTraffic(context, input.days);
  const known = new Map((await listKnownModels(context.database.db, deps.catalogue)).map((one) => [one.model, one]));
  const all: Foreseen[] = [];
  for (const [index, each] of traffic.models.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const factor = priceFactor(context, deps, input, each, known.get(each.model)?.type);
    all.push(await foresee(deps, routingChangeOf(input), each, factor));
  }
  const affected = all.filter(({ isAffected }) => isAffected);
  const byGroup = Map.groupBy(affected, ({ group }) => group);
  const models = modelsOf(affected);
  return {
    before: addTraffic(all.map(({ before }) => before)),
    after: addTraffic(all.map(({ after }) => after)),
    users: await traffic.countUsers(
      new Map([...byGroup].map(([group, of]) => [group, new Set(of.map(({ model }) => model))])),
    ),
    models: models.slice(0, WHAT_IF_LIMITS.models),
    affected: models.length,
    channels: await channelsOf(context, all),
  };
}

function routingChangeOf({ channels, pool_mode: poolMode }: Input): RoutingChange | undefined {
  if (channels.length === 0 && poolMode === undefined) return undefined;
  return { channels: new Map(channels.map(({ id, ...change }) => [id, change])), poolMode };
}

function priceFactor(
  { clock }: Pick<CallContext, "clock">,
  { options, priceOf }: WhatIfDependencies,
  { model_prices: prices, group_ratios: ratios }: Input,
  { group, model, rows }: ModelTraffic,
  type: KnownModel["type"],
): number {
  const present = options.ratios("GroupRatio").get(group) ?? 1;
  const wanted = ratios[group];
  const ofGroup = wanted === undefined || present === 0 ? 1 : wanted / present;
  const isPriced = Object.keys(prices).some((name) => name === model || name === `${model}(${type ?? ""})`);
  if (!isPriced) return ofGroup;
  const of = { model, type, atMs: clock.nowMs() };
  const own = {
    modelRatios: options.ratios("ModelRatio"),
    completionRatios: options.ratios("CompletionRatio"),
    modelPrices: new Map([...options.prices("ModelPrices"), ...Object.entries(prices)]),
  };
  const [first] = rows;
  if (first === undefined) return ofGroup;
  const { before, after } = effectOn(addSumsOf(rows), priceOf(of), priceOf(of, own));
  return before === 0 ? ofGroup : (ofGroup * after) / before;
}

function addSumsOf(rows: ModelTraffic["rows"]): ModelTraffic["rows"][number]["sums"] {
  return rows.map(({ sums }) => sums).reduce(addSums);
}

async function foresee(
  { foreseeShares }: WhatIfDependencies,
  routing: RoutingChange | undefined,
  traffic: ModelTraffic,
  factor: number,
): Promise<Foreseen> {
  const before = trafficOf(traffic.rows);
  const shares = routing && (await newShares(foreseeShares, routing, traffic));
  const routed = shares === undefined ? before : atOtherShares(before, traffic.rows, shares);
  return {
    ...traffic,
    before,
    after: atOtherPrice(routed, factor),
    isAffected: factor !== 1 || shares !== undefined,
    isLost: shares?.next.every(({ share }) => share === 0) === true,
    shares,
  };
}

async function newShares(
  foreseeShares: WhatIfDependencies["foreseeShares"],
  routing: RoutingChange,
  { model, group }: ModelTraffic,
): Promise<Shares | undefined> {
  const present = await foreseeShares(model, group);
  const next = await foreseeShares(model, group, routing);
  const shareIn = new Map(present.map(({ channelId, share }) => [channelId, share]));
  const isSame =
    present.length === next.length && next.every(({ channelId, share }) => shareIn.get(channelId) === share);
  return isSame || present.every(({ share }) => share === 0) ? undefined : { present, next };
}

function modelsOf(affected: readonly Foreseen[]): ForeseenChange["models"] {
  const models = [...Map.groupBy(affected, ({ model }) => model)].map(([model, of]) => ({
    model,
    before: addTraffic(of.map(({ before }) => before)),
    after: addTraffic(of.map(({ after }) => after)),
    lost_in: of.filter(({ isLost }) => isLost).map(({ group }) => group),
  }));
  const change = ({ before, after }: (typeof models)[number]) =>
    Math.abs(after.spend - before.spend) + Math.abs(after.cost - before.cost);
  return models.toSorted((left, right) => change(right) - change(left) || right.before.requests - left.before.requests);
}

async function channelsOf(
  { database }: Pick<CallContext, "database">,
  all: readonly Foreseen[],
): Promise<ForeseenChange["channels"]> {
  const counts = new Map<number, { before: number; after: number }>();
  const add = (id: number, part: "before" | "after", requests: number) => {
    const count = counts.get(id) ?? { before: 0, after: 0 };
    count[part] += requests;
    counts.set(id, count);
  };
  for (const { rows, before, shares } of all) {
    if (shares === undefined) continue;
    for (const { channelId, sums } of rows) if (channelId !== 0) add(channelId, "before", sums.requests);
    for (const { channelId, share } of shares.next) add(channelId, "after", Math.round(share * before.requests));
  }
  const changed = [...counts].filter(([, { before, after }]) => before !== after);
  const names = await nameChannels(
    database.db,
    changed.map(([id]) => id),
  );
  return changed
    .map(([id, count]) => ({ id, name: names.get(id) ?? "", ...count }))
    .toSorted((left, right) => Math.abs(right.after - right.before) - Math.abs(left.after - left.before));
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { entriesOfAlias } from "@one-api/contract/channels/model-aliases";
import type {
  ForeseenChange,
  foreseeChange as foreseeChangeCall,
  WhatIfTraffic,
} from "@one-api/contract/usage/what-if";
import { WHAT_IF_LIMITS } from "@one-api/contract/usage/what-if-constants";
import { addSums } from "@one-api/log-store/usage-sums";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nameChannels } from "../channels/index.ts";
import { effectOn, type KnownModel, listKnownModels } from "../pricing/index.ts";
import { addTraffic, atOtherPrice, atOtherShares, roundTraffic, trafficOf } from "./foresee-traffic.ts";
import { type AliasTraffic, moveAliases, type MovedTraffic, promptEdgesOf } from "./move-aliases.ts";
import { type AffectedNames, type ModelTraffic, readTraffic, type Traffic } from "./read-traffic.ts";
import type { ForeseenShare, PriceTables, RoutingChange, WhatIfDependencies } from "./what-if-dependencies.ts";

const MODELS_PER_SLICE = 5;

type Input = z.output<(typeof foreseeChangeCall)["body"]>;

interface Foreseen extends MovedTraffic {
  readonly before: WhatIfTraffic;
  readonly after: WhatIfTraffic;
  /** By more than requests of an alias that come or go. */
  readonly isAffectedItself: boolean;
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
  checkAliases(deps, input);
  const traffic = await readTraffic(context, input.days);
  const known = new Map((await listKnownModels(context.database.db, deps.catalogue)).map((one) => [one.model, one]));
  const typeOf = (model: string) => known.get(model)?.type;
  const aliases = await readAliases(deps, traffic, input);
  const routing = routingChangeOf(input);
  const atMs = context.clock.nowMs();
  const { traffic: moved, unjudged } = await moveAliases(traffic.models, aliases, {
    foreseeShares: deps.foreseeShares,
    routing,
    priceOf: (model) => deps.priceOf({ model, type: typeOf(model), atMs }),
    prices: pricesWith(deps, input),
  });
  const all: Foreseen[] = [];
  for (const [index, each] of moved.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    all.push(await foresee(deps, routing, each, priceFactor(context, deps, input, each, typeOf(each.model))));
  }
  const affected = all.filter(isAffected);
  const models = modelsOf(affected);
  return {
    before: addTraffic(all.map(({ before }) => before)),
    after: roundTraffic(addTraffic(all.map(({ after }) => after))),
    unjudged: Math.round(unjudged),
    users: await traffic.countUsers(affectedNames(all, aliases)),
    models: models.slice(0, WHAT_IF_LIMITS.models),
    affected: models.length,
    channels: await channelsOf(context, all),
  };
}

/** Throws `what-if-alias-unknown` for a name that is no alias: it has no requests as one. */
function checkAliases({ aliases }: WhatIfDependencies, input: Input): void {
  const unknown = Object.keys(input.aliases).find((name) => aliases.find(name) === undefined);
  if (unknown === undefined) return;
  throw new AppError("what-if-alias-unknown", `There is no alias ${unknown}.`, {
    field: `aliases.${unknown}`,
    values: { alias: unknown },
  });
}

async function readAliases(
  { aliases: known }: WhatIfDependencies,
  traffic: Traffic,
  { aliases }: Input,
): Promise<AliasTraffic[]> {
  const read = [];
  for (const [name, alias] of Object.entries(aliases)) {
    const entries = entriesOfAlias(alias);
    const waits = entries.flatMap(({ model, firstTokenMs: wait }) =>
      wait === undefined ? [] : [[model, wait] as const],
    );
    const asked = {
      models: entries.map(({ model }) => model),
      promptEdges: promptEdgesOf(alias),
      deadlines: Object.fromEntries(waits),
    };
    const rows = await traffic.replay({ ...asked, alias: name });
    const besides = await traffic.replay({ ...asked, alias: "" });
    read.push({ name, alias, present: known.find(name) ?? [], rows, besides });
  }
  return read;
}

/** The prices in force with those of the change. */
function pricesWith(
  { options }: WhatIfDependencies,
  { model_prices: prices, group_ratios: ratios }: Input,
): PriceTables {
  const groups = new Map([...options.ratios("GroupRatio"), ...Object.entries(ratios)]);
  const models = new Map([...options.prices("ModelPrices"), ...Object.entries(prices)]);
  return { ratios: (key) => (key === "GroupRatio" ? groups : options.ratios(key)), prices: () => models };
}

function isAffected({ isAffectedItself, rows, moved }: Foreseen): boolean {
  return isAffectedItself || moved !== rows;
}

/** Returns the affected models and aliases of each group. */
function affectedNames(all: readonly Foreseen[], aliases: readonly AliasTraffic[]): ReadonlyMap<string, AffectedNames> {
  const names = new Map<string, { models: Set<string>; aliases: Set<string> }>();
  const of = (group: string) => {
    const known = names.get(group) ?? { models: new Set(), aliases: new Set() };
    names.set(group, known);
    return known;
  };
  for (const { group, model, isAffectedItself } of all) if (isAffectedItself) of(group).models.add(model);
  for (const { name, rows } of aliases) for (const group of rows.keys()) of(group).aliases.add(name);
  return names;
}

function routingChangeOf({ channels, pool_mode: poolMode }: Input): RoutingChange | undefined {
  if (channels.length === 0 && poolMode === undefined) return undefined;
  return { channels: new Map(channels.map(({ id, ...change }) => [id, change])), poolMode };
}

function priceFactor(
  { clock }: Pick<CallContext, "clock">,
  { options, priceOf }: WhatIfDependencies,
  { model_prices: prices, group_ratios: ratios }: Input,
  { group, model, moved: rows }: MovedTraffic,
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
  traffic: MovedTraffic,
  factor: number,
): Promise<Foreseen> {
  const expected = trafficOf(traffic.moved);
  const shares = routing && (await newShares(foreseeShares, routing, traffic));
  const routed = shares === undefined ? expected : atOtherShares(expected, traffic.moved, shares);
  return {
    ...traffic,
    before: trafficOf(traffic.rows),
    after: atOtherPrice(routed, factor),
    isAffectedItself: factor !== 1 || shares !== undefined,
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
    after: roundTraffic(addTraffic(of.map(({ after }) => after))),
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
  for (const { rows, moved, after, shares } of all) {
    if (shares === undefined && moved === rows) continue;
    for (const { channelId, sums } of rows) if (channelId !== 0) add(channelId, "before", sums.requests);
    if (shares === undefined)
      for (const { channelId, sums } of moved) if (channelId !== 0) add(channelId, "after", sums.requests);
    for (const { channelId, share } of shares?.next ?? []) add(channelId, "after", share * after.requests);
  }
  const changed = [...counts]
    .map(([id, { before, after }]) => [id, { before, after: Math.round(after) }] as const)
    .filter(([, { before, after }]) => before !== after);
  const names = await nameChannels(
    database.db,
    changed.map(([id]) => id),
  );
  return changed
    .map(([id, count]) => ({ id, name: names.get(id) ?? "", ...count }))
    .toSorted((left, right) => Math.abs(right.after - right.before) - Math.abs(left.after - left.before));
}

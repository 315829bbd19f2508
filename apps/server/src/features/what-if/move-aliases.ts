import { type AliasEntry, entriesOfAlias, type ModelAlias } from "@one-api/contract/channels/model-aliases";
import type { ReplayRow, TrafficRow } from "@one-api/log-store/questions";
import { takesRequest } from "@one-api/contract/logs/alias-facts";
import { addSums, NO_SUMS, subtractSums } from "@one-api/log-store/usage-sums";
import { type ChainModel, endsOf } from "./alias-chain.ts";
import { type Candidate, expectRows } from "./expect-rows.ts";
import { meanOf } from "./foresee-traffic.ts";
import { recordOf, requestsOf, sum } from "./model-record.ts";
import type { ModelTraffic } from "./read-traffic.ts";
import type { ForeseeShares, PriceTables, RoutingChange, WhatIfDependencies } from "./what-if-dependencies.ts";

export interface MovedTraffic extends ModelTraffic {
  /** Rows with the change of the aliases; `rows` without one. */
  readonly moved: readonly TrafficRow[];
}

/** Requests for an alias, and all requests for its models, of the users of each group. */
export interface AliasTraffic {
  readonly name: string;
  readonly alias: ModelAlias;
  /** The alias in force. */
  readonly present: ModelAlias;
  readonly rows: ReadonlyMap<string, readonly ReplayRow[]>;
  readonly besides: ReadonlyMap<string, readonly ReplayRow[]>;
}

export interface MoveParts {
  readonly foreseeShares: ForeseeShares;
  readonly routing: RoutingChange | undefined;
  readonly priceOf: (model: string) => ReturnType<WhatIfDependencies["priceOf"]>;
  /** With the change. */
  readonly prices: PriceTables;
}

export interface MovedAliases {
  readonly traffic: readonly MovedTraffic[];
  /** Requests of which the log does not have what the new definition depends on. */
  readonly unjudged: number;
}

/**
 * Moves the requests for aliases to the models of other definitions, in each group, as the router would: by conditions, order
 * or weight, deadlines and failures. Requests that no model takes fail under the name of the alias.
 */
export async function moveAliases(
  models: readonly ModelTraffic[],
  aliases: readonly AliasTraffic[],
  parts: MoveParts,
): Promise<MovedAliases> {
  const moved = new Map(models.map((each) => [keyOf(each), { ...each, moved: each.rows }]));
  let unjudged = 0;
  const change = (group: string, model: string, to: (rows: readonly TrafficRow[]) => TrafficRow[]) => {
    const key = keyOf({ group, model });
    const known = moved.get(key) ?? { group, model, rows: [], moved: [] };
    moved.set(key, { ...known, moved: to(known.moved) });
  };
  for (const traffic of aliases) {
    for (const [group, rows] of traffic.rows) {
      const { classes, unknown } = classesOf(traffic.alias, rows);
      unjudged += requestsOf(unknown);
      for (const own of classes) {
        const replayed = await replay(traffic, { group, rows: own }, parts);
        unjudged += replayed.unjudged;
        for (const [model, gone] of Map.groupBy(own, (row) => row.model))
          change(group, model, (all) => without(all, gone));
        for (const [model, added] of replayed.rows) change(group, model, (all) => together(all, added));
      }
    }
  }
  return { traffic: [...moved.values()], unjudged };
}

/** Prompt tokens at which the models that take a request change, in ascending order. */
export function promptEdgesOf(alias: ModelAlias): number[] {
  const edges = entriesOfAlias(alias).flatMap(({ when }) => [
    ...(when.prompt_from === undefined ? [] : [when.prompt_from]),
    ...(when.prompt_to === undefined ? [] : [when.prompt_to + 1]),
  ]);
  return [...new Set(edges)].toSorted((left, right) => left - right);
}

interface Classes {
  /** Rows of requests that the same models take. */
  readonly classes: readonly (readonly ReplayRow[])[];
  /** Rows whose facts the log does not have, where conditions ask for them. */
  readonly unknown: readonly ReplayRow[];
}

function classesOf(alias: ModelAlias, rows: readonly ReplayRow[]): Classes {
  const needsFacts = entriesOfAlias(alias).some(({ when }) =>
    Object.keys(when).some((name) => !name.endsWith("price_to")),
  );
  if (!needsFacts) return { classes: [rows], unknown: [] };
  const known = rows.filter(({ facts }) => facts !== null);
  const classes = [...Map.groupBy(known, ({ facts }) => JSON.stringify(facts)).values()];
  return { classes, unknown: rows.filter(({ facts }) => facts === null) };
}

interface OwnRows {
  readonly group: string;
  /** Of one class. */
  readonly rows: readonly ReplayRow[];
}

interface Replayed {
  readonly rows: ReadonlyMap<string, readonly TrafficRow[]>;
  readonly unjudged: number;
}

async function replay(traffic: AliasTraffic, own: OwnRows, parts: MoveParts): Promise<Replayed> {
  const { group, rows } = own;
  const requests = requestsOf(rows);
  const ofGroup = traffic.rows.get(group) ?? [];
  const besides = traffic.besides.get(group) ?? [];
  const candidates: (Candidate & ChainModel)[] = [];
  for (const entry of fitting(traffic.alias, rows)) {
    const channels = (await sharesOf(entry, own, parts)).filter(({ share }) => share > 0);
    const record = recordOf(entry.model, [rows, ofGroup, besides, ofGroup]);
    if (channels.length > 0) candidates.push({ ...entry, channels, record });
  }
  if (candidates.length === 0) {
    const lost = { ...NO_SUMS, requests, errors: requests };
    return { rows: new Map([[traffic.name, [rowOf(traffic.name, lost)]]]), unjudged: 0 };
  }
  const ends = endsOf(candidates, requests);
  const added = new Map<string, readonly TrafficRow[]>();
  for (const candidate of candidates) {
    const end = ends.get(candidate.model);
    if (end === undefined) continue;
    added.set(candidate.model, await expectRows({ candidate, end, group, rows, besides }, parts));
  }
  return { rows: added, unjudged: sum(candidates, (each) => withLongerWait(traffic.present, each, rows)) };
}

/** Returns the models that take the requests of a class. */
function fitting(alias: ModelAlias, [row]: readonly ReplayRow[]): readonly AliasEntry[] {
  const edges = promptEdgesOf(alias);
  const { promptClass, ...facts } = row?.facts ?? { promptClass: 0, hasTools: false, hasImages: false };
  const promptTokens = edges[promptClass - 1] ?? 0;
  const needsNone = row?.facts === null;
  return entriesOfAlias(alias).filter(({ when }) => needsNone || takesRequest(when, { ...facts, promptTokens }));
}

function sharesOf(
  { model, when }: AliasEntry,
  { group, rows }: OwnRows,
  { foreseeShares, routing, prices }: MoveParts,
) {
  const { input_price_to: inputTo, output_price_to: outputTo } = when;
  if (inputTo === undefined && outputTo === undefined) return foreseeShares(model, group, routing);
  const known = rows.filter(({ facts }) => facts !== null);
  const promptTokens = Math.ceil(sum(known, (row) => row.estimatedTokens) / (requestsOf(known) || 1));
  return foreseeShares(model, group, routing, { inputTo, outputTo, promptTokens, prices });
}

/**
 * Counts the requests that left a model before its deadline is longer than today's: the log does not have whether they would
 * have met it.
 */
function withLongerWait(present: ModelAlias, { model, firstTokenMs }: ChainModel, rows: readonly ReplayRow[]): number {
  const today = entriesOfAlias(present).find((entry) => entry.model === model)?.firstTokenMs;
  if (today === undefined || (firstTokenMs !== undefined && firstTokenMs <= today)) return 0;
  return requestsOf(rows.filter((row) => row.firstModel === model));
}

function rowOf(model: string, sums: TrafficRow["sums"]): TrafficRow {
  return { group: 0, model, channelId: 0, firstByteMs: null, sums };
}

function without(rows: readonly TrafficRow[], gone: readonly TrafficRow[]): TrafficRow[] {
  return rows.map((row) => {
    const less = gone.filter(({ channelId }) => channelId === row.channelId).map(({ sums }) => sums);
    return less.length === 0 ? row : { ...row, sums: less.reduce(subtractSums, row.sums) };
  });
}

function together(rows: readonly TrafficRow[], added: readonly TrafficRow[]): TrafficRow[] {
  const raised = rows.map((row) => {
    const more = added.find(({ channelId }) => channelId === row.channelId);
    if (more === undefined) return row;
    const firstByteMs = meanOf([
      [row.firstByteMs, row.sums.requests],
      [more.firstByteMs, more.sums.requests],
    ]);
    return { ...row, firstByteMs, sums: addSums(row.sums, more.sums) };
  });
  return [...raised, ...added.filter(({ channelId }) => !rows.some((row) => row.channelId === channelId))];
}

function keyOf({ group, model }: Omit<ModelTraffic, "rows">): string {
  return JSON.stringify([group, model]);
}

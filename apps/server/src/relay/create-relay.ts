import type { OpenDatabase } from "@one-api/database/open-database";
import type { GetJson } from "@one-api/contract/channels/channel-connection";
import type { Logger } from "pino";
import type { ChangeFeed } from "../core/change-feed.ts";
import type { ClientAddress } from "../platform/requests/client-address.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import type { OptionStore } from "../core/option-store.ts";
import type { Secrets } from "../core/secrets.ts";
import type { Redis } from "../platform/redis.ts";
import { createSharedCache } from "../platform/shared-cache.ts";
import { TimeSlices } from "../platform/work/time-slices.ts";
import type { QuotaShortages } from "../features/alerts/index.ts";
import {
  type ChannelDependencies,
  type ChannelCooldowns,
  disableChannelAutomatically,
  disableKeyAutomatically,
  disableSpentChannels,
  type ListShares,
  loadChannelForRelay,
  type ProbeChannel,
} from "../features/channels/index.ts";
import { createModelAliases } from "../features/model-aliases/index.ts";
import { createGroupLimits } from "../features/limits/index.ts";
import { insertStoredBodies, trimBodies } from "../features/logs/index.ts";
import type { FindRefused, FindUnpriced, ListPrices, PriceOf } from "../features/pricing/index.ts";
import type { ForeseeShares } from "../features/what-if/index.ts";
import { addFlaggedPrompts } from "../features/tokens/index.ts";
import { createServerLedger, type LedgerParts, type ServerLedger } from "@one-api/ledger/create-server-ledger";
import type { Ledger } from "@one-api/ledger/ledger";
import { InFlightRequests } from "./in-flight/index.ts";
import { type BodyStore, createBodyStore } from "./stored-bodies/index.ts";
import {
  type Billing,
  type CallerChanges,
  type CallerServices,
  createBilling,
  createCallerSource,
  createRefusalLog,
  listenForCallerChanges,
  type RefusalLog,
  WrongKeys,
} from "./callers/index.ts";
import { RateLimiter, SharedCounters } from "./limits/index.ts";
import { BodyMemory, BufferPool } from "./body/index.ts";
import {
  type ChannelHealth,
  createChannelEvents,
  createChannelHealth,
  createChannelSource,
  createFindRefused,
  createFindUnpriced,
  createListPrices,
  createPriceOf,
  createForeseeShares,
  createListShares,
  poolModeOf,
  createRoutePlans,
  createStoredObjects,
  RetryBudget,
  RoundRobin,
  type RoutingServices,
} from "./routing/index.ts";
import { createProbeChannel } from "./own-calls/index.ts";
import { type CountTokens, createCountTokens } from "./usage/index.ts";
import type { Telemetry } from "./telemetry/index.ts";
import { createTranslate } from "./translate/index.ts";
import { MemoryBudget } from "../platform/memory/memory-budget.ts";
import {
  createPictureFetcher,
  createSharedIo,
  type SharedIo,
  Upstream,
  currentProxy,
  type UpstreamServices,
} from "./upstream/index.ts";

import { priceModel } from "./pricing/index.ts";
import type { BatchServices } from "./batches/index.ts";
import type { ChargingServices } from "./charging/index.ts";
import type { SessionServices } from "./realtime/index.ts";
import type { RequestServices } from "./request/index.ts";
import { RELAY_TIMEOUTS, type RelayTimeouts } from "./relay-timeouts.ts";

/** Memory for whole answers that callers take slowly, in bytes; one more of 32 MiB may exceed it. */
const ANSWER_MEMORY_BYTES = 48 * 1024 * 1024;
const SESSION_MEMORY_BYTES = 128 * 1024 * 1024;
const BODY_MEMORY_BYTES = 256 * 1024 * 1024;
/** Interval of writes of refusals and stored bodies, in ms. */
const FLUSH_MS = 1_000;
/** Interval of looks for expired files and answers at providers, in ms. */
const EXPIRY_MS = 60_000;

export interface RelayParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly log: Logger;
  readonly timeouts?: Partial<RelayTimeouts>;
  readonly shortages: QuotaShortages;
  /** Private networks that images may be fetched from. */
  readonly allowedNetworks: readonly string[];
  readonly clientAddress: ClientAddress;
  readonly telemetry: Telemetry;
  readonly redis: Redis | undefined;
  readonly aroundStorage?: LedgerParts["aroundStorage"];
}

export interface RelayServices extends RequestServices, SessionServices, BatchServices {
  readonly ledger: Ledger;
  readonly billing: Billing;
  readonly bodies: BodyStore;
}

export interface Relay {
  readonly server: Pick<ServerLedger, "start" | "isLive" | "place" | "figures" | "ownerId">;
  readonly services: RelayServices;
  readonly probeChannel: ProbeChannel;
  readonly listShares: ListShares;
  readonly foreseeShares: ForeseeShares;
  readonly listPrices: ListPrices;
  readonly findUnpriced: FindUnpriced;
  readonly findRefused: FindRefused;
  readonly priceOf: PriceOf;
  readonly cooldowns: ChannelCooldowns;
  readonly statesOf: ChannelDependencies["statesOf"];
  readonly getJsonThrough: (proxy: string) => GetJson;
  /** Waits until every request is settled, and closes the connections to providers. */
  close(): Promise<void>;
}

export function createRelay(parts: RelayParts): Relay {
  const { database, clock, options } = parts;
  const pictures = createPictureFetcher(parts.allowedNetworks);
  const io = createSharedIo(clock, pictures.fetchPicture);
  const inFlight = new InFlightRequests();
  const server = createLedger(parts, inFlight);
  const callerChanges = listenForCallerChanges(database, clock);
  const countTokens = createCountTokens(options);
  const bodies = createBodies(parts);
  const counters = createSharedCounters(parts);
  const limiter = new RateLimiter({
    clock,
    place: () => server.place,
    shared: counters,
    queueMs: () => options.number("RateLimitQueueMs"),
  });
  const caller = createCallerServices(parts, server.ledger, callerChanges);
  const routing = createRoutingServices(parts);
  const upstream = createUpstreamServices(parts, io, countTokens);
  const services: RelayServices = {
    ...caller,
    limiter,
    ...routing,
    ...upstream,
    ...createChargingServices(parts, server.ledger, countTokens),
    bodyMemory: new BodyMemory(BODY_MEMORY_BYTES),
    bodyBuffers: new BufferPool(),
    timeSlices: new TimeSlices(),
    sessionMemory: new MemoryBudget(SESSION_MEMORY_BYTES),
    priceTranscription: (model, type, group) => priceModel(options, { model, type, group, endpoint: "transcriptions" }),
    ledger: server.ledger,
    writeLogs: (rows) => server.ledger.writeLogs(rows),
    batches: server.batches,
    billing: createBilling(database.db, options),
    inFlight,
    bodies,
    database: database.db,
    timeouts: upstream.timeouts,
  };
  const flushing = setInterval(() => void Promise.all([caller.refusals.flush(), bodies.flush()]), FLUSH_MS).unref();
  const expiring = setInterval(() => forgetExpired(io, services), EXPIRY_MS).unref();
  return {
    server,
    services,
    probeChannel: createProbeChannel(services),
    listShares: createListShares(services),
    foreseeShares: createForeseeShares(services),
    listPrices: createListPrices({ ...routing, options }),
    findUnpriced: createFindUnpriced({ options }),
    findRefused: createFindRefused({ ...routing, options }),
    priceOf: createPriceOf(options),
    cooldowns: cooldownsOf(routing.health),
    statesOf: statesOf(routing.health),
    getJsonThrough: (proxy) => upstream.upstream.through(proxy).getJson,
    close: async () => {
      await services.inFlight.idle();
      clearInterval(flushing);
      clearInterval(expiring);
      await caller.refusals.flush(true);
      await bodies.flush();
      await routing.events.written();
      await routing.storedObjects.written();
      counters?.close();
      await callerChanges?.stop();
      await upstream.upstream.destroy();
      await pictures.close();
    },
  };
}

function createCallerServices(
  parts: RelayParts,
  ledger: Pick<Ledger, "writeLogs">,
  callerChanges: CallerChanges | undefined,
): Omit<CallerServices, "limiter"> {
  const { database, secrets, changes, clock, options, log, clientAddress } = parts;
  return {
    callers: createCallerSource(
      { database, secrets, changes, callerChanges, clock },
      { findGroupLimits: createGroupLimits(options) },
    ),
    clientAddress,
    telemetry: parts.telemetry,
    wrongKeys: new WrongKeys(),
    refusals: createRefusals(parts, ledger),
    clock,
    log,
  };
}

function createSharedCounters({ redis, secrets }: RelayParts): SharedCounters | undefined {
  return redis && new SharedCounters(redis, secrets.lookup("rate limits").slice(0, 16));
}

function createRoutingServices(parts: RelayParts): RoutingServices {
  const { database, secrets, clock, options, log, redis } = parts;
  const channels = createChannelSource({ ...parts, cache: redis && createSharedCache(redis) });
  const loadChannel = (channelId: number) => loadChannelForRelay(database.db, secrets, channelId);
  const providerSwitches = () => ({
    geminiNative: options.flag("GeminiNewEnabled"),
    geminiUpload: options.flag("GeminiUploadImageEnabled"),
  });
  return {
    channels,
    plans: createRoutePlans({ channels, loadChannel, options, providerSwitches, clock, database: database.db }),
    aliases: createModelAliases(options),
    loadChannel,
    health: createChannelHealth(clock),
    roundRobin: new RoundRobin(),
    retryBudget: new RetryBudget(),
    events: createChannelEvents(parts, log),
    storedObjects: createStoredObjects(database.db, clock, log),
    disableChannel(channelId, reason) {
      if (!options.flag("AutomaticDisableChannelEnabled")) return;
      disableChannelAutomatically(parts, channelId, reason).catch((error: unknown) => {
        log.error({ err: error, channelId }, "a channel could not be disabled");
      });
    },
    disableKey(channelId, keyId, reason) {
      if (!options.flag("AutomaticDisableChannelEnabled")) return;
      disableKeyAutomatically(parts, channelId, keyId, reason).catch((error: unknown) => {
        log.error({ err: error, channelId, keyId }, "a key of a channel could not be disabled");
      });
    },
    random: Math.random,
    clock,
    poolMode: () => poolModeOf(options.text("PoolMode")),
    maxLatencyMs: () => options.number("CheapestMaxLatency") * 1_000,
    retryTimes: () => options.number("RetryTimes"),
    isRoutingSticky: () => options.flag("PromptCacheAffinity"),
    providerSwitches,
  };
}

function createUpstreamServices(
  { clock, options, log, timeouts }: RelayParts,
  io: SharedIo,
  countTokens: CountTokens,
): UpstreamServices & { readonly upstream: Upstream } {
  return {
    upstream: new Upstream(() => currentProxy(options), io),
    fetchPicture: io.fetchPicture,
    translate: createTranslate(countTokens.text, () => nowSeconds(clock)),
    answerMemory: new MemoryBudget(ANSWER_MEMORY_BYTES),
    timeouts: { ...RELAY_TIMEOUTS, ...timeouts },
    log,
  };
}

function createChargingServices(
  parts: RelayParts,
  ledger: Ledger,
  countTokens: CountTokens,
): Omit<ChargingServices, "timeouts"> {
  const { options, log, clock, telemetry } = parts;
  return {
    ledger,
    telemetry,
    countTokens,
    checkSpending(channelId) {
      ledger
        .applyCharges()
        .then(() => disableSpentChannels(parts, options.number("QuotaPerUnit"), channelId))
        .catch((error: unknown) => {
          log.error({ err: error, channelId }, "a channel's spending could not be read");
        });
    },
    isLogged: () => options.flag("LogConsumeEnabled"),
    leastCappedTokens: () => options.number("PreConsumedQuota"),
    clock,
  };
}

function createLedger({ database, clock, log, aroundStorage }: RelayParts, inFlight: InFlightRequests): ServerLedger {
  return createServerLedger({
    database,
    clock,
    ...(aroundStorage && { aroundStorage }),
    warn: (error) => log.warn({ err: error }, "the ledger could not do its work; it tries again"),
    onFenced() {
      log.warn("other servers took this one for dead and settled its open requests, which end with an error");
      inFlight.endFenced();
    },
    onOutdated(error) {
      log.fatal({ err: error }, error.message);
      process.exit(1);
    },
  });
}

function createRefusals(
  { database, clock, options, log, shortages }: RelayParts,
  ledger: Pick<Ledger, "writeLogs">,
): RefusalLog {
  return createRefusalLog({
    clock,
    isOn: () => options.flag("LogConsumeEnabled"),
    log,
    writeLogs: (rows) => ledger.writeLogs(rows),
    shortOfQuota: (caller) => shortages.note(caller),
    addFlagged: (counts) => addFlaggedPrompts(database.db, counts),
  });
}

/** Forgets files and answers that providers have deleted by now. */
function forgetExpired({ files }: SharedIo, { storedObjects, clock, log }: RelayServices): void {
  files.sweep(clock.nowMs());
  storedObjects.sweep().catch((error: unknown) => log.warn({ err: error }, "what has expired could not be forgotten"));
}

function cooldownsOf(health: ChannelHealth): ChannelCooldowns {
  return {
    coolingModels: (channelId) =>
      health
        .modelsInCooldown(channelId)
        .map(({ model, untilMs }) => ({ model, endsAtSeconds: Math.ceil(untilMs / 1000) })),
    coolingChannels: () => health.channelsInCooldown(),
    forget: (channelId) => health.forget(channelId),
    recover: (channelId) => health.recover(channelId),
    keyCooldown: (channelId, keyId) => {
      const keys = health.keysOf(channelId);
      const ends = keys.modelsInCooldown(keyId).map(({ untilMs }) => untilMs);
      return Math.ceil(Math.max(0, keys.cooldownOf(keyId, "")?.untilMs ?? 0, ...ends) / 1000);
    },
    forgetKey: (channelId, keyId) => health.keysOf(channelId).forget(keyId),
  };
}

function statesOf(health: ChannelHealth): Relay["statesOf"] {
  return (channelId, models) =>
    models.map((model) => {
      const rest = health.cooldownOf(channelId, model);
      const untilSeconds = rest === undefined ? 0 : Math.ceil(rest.untilMs / 1000);
      return { rest: rest?.reason ?? "", untilSeconds, latencyMs: health.latencyMs(channelId, model) };
    });
}

function createBodies({ database, options, log }: RelayParts): BodyStore {
  return createBodyStore({
    options,
    log,
    write: (bodies) => insertStoredBodies(database, bodies),
    trim: (mostBytes) => trimBodies(database.db, mostBytes),
  });
}

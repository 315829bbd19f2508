import type { OpenDatabase } from "@one-api/database/open-database";
import type { GetJson } from "@one-api/contract/channels/channel-connection";
import type { Logger } from "pino";
import type { ChangeFeed } from "../core/change-feed.ts";
import type { ClientAddress } from "../platform/requests/client-address.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import type { OptionStore } from "../core/option-store.ts";
import type { Secrets } from "../core/secrets.ts";
import type { SharedCache } from "../platform/shared-cache.ts";
import { TimeSlices } from "../platform/work/time-slices.ts";
import type { QuotaShortages } from "../features/alerts/index.ts";
import {
  type ChannelDependencies,
  type ChannelSleep,
  disableChannelAutomatically,
  disableSpentChannels,
  type ListShares,
  loadChannelForRelay,
  type ProbeChannel,
} from "../features/channels/index.ts";
import { insertKeptBodies, trimBodies } from "../features/logs/index.ts";
import type { FindUnpriced, ListPrices } from "../features/pricing/index.ts";
import { addFlaggedPrompts } from "../features/tokens/index.ts";
import { createServerLedger, type LedgerParts, type ServerLedger } from "@one-api/ledger/create-server-ledger";
import type { Ledger } from "@one-api/ledger/ledger";
import { ActiveRelays } from "./in-flight/in-flight-requests.ts";
import { type BodyKeeper, createBodyKeeper } from "./stored-bodies/body-store.ts";
import { createBilling } from "./callers/answer-billing.ts";
import { listenForCallerChanges } from "./callers/caller-changes.ts";
import { createCallerSource } from "./callers/caller-source.ts";
import { BodyMemory } from "./body/body-memory.ts";
import { BodyRoom } from "./body/body-room.ts";
import { createRefusalLog, type RefusalLog } from "./callers/refusal-log.ts";
import { createTokenLimiter } from "./callers/token-limiter.ts";
import { WrongKeys } from "./callers/wrong-keys.ts";
import { type ChannelHealth, createChannelHealth } from "./routing/channel-health.ts";
import { createChannelSource } from "./routing/channel-snapshot.ts";
import { PoolTurns } from "./routing/find-candidates.ts";
import { createListShares } from "./routing/list-shares.ts";
import { createChannelNotes } from "./routing/record-outcome.ts";
import { createRoutePlans } from "./routing/route-plans.ts";
import { createProbeChannel } from "./own-calls/probe-channel.ts";
import { createCountTokens } from "./usage/count-usage.ts";
import { createKeptObjects } from "./routing/stored-objects.ts";
import { createFindUnpriced, createListPrices } from "./routing/list-prices.ts";
import { type RelayDependencies } from "./relay-dependencies.ts";
import { createTranslate } from "./translate/choose-translation.ts";
import { ByteBudget } from "../platform/memory/byte-budget.ts";
import { createPictureFetcher } from "./upstream/fetch-picture.ts";
import { createGetJson, createProviderIo, createUpstreamClient } from "./upstream/upstream-client.ts";
import { RELAY_TIMEOUTS, type RelayTimeouts } from "./relay-timeouts.ts";

/** Room in memory for whole answers that callers take slowly, in bytes; one more of 32 MiB may be under way. Accounts share it, as the next ones. */
const ANSWER_ROOM_BYTES = 48 * 1024 * 1024;
/** Room in memory for events of sessions that have not wholly come, or are not taken yet, in bytes. */
const SESSION_ROOM_BYTES = 128 * 1024 * 1024;
/** Room in memory for callers' bodies, in bytes. */
const BODY_ROOM_BYTES = 256 * 1024 * 1024;
/** Between two writes of what calls leave in the log beside their charge, in ms. */
const FLUSH_MS = 1_000;

/** Between two looks whether files that are kept at providers have expired, in ms. */
const FILES_SWEEP_MS = 60_000;

/** What the relay is made of. */
export interface RelayParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly log: Logger;
  /** Other waits than the usual ones, for tests. */
  readonly timeouts?: Partial<RelayTimeouts>;
  /** Remembers whose calls were refused for lack of quota. */
  readonly shortages: QuotaShortages;
  /** Private networks from which callers may have the gateway fetch. */
  readonly allowedNetworks: readonly string[];
  /** Reads where a request comes from. */
  readonly clientAddress: ClientAddress;
  /** Where servers share what they have read; undefined where there is no such place. */
  readonly cache: SharedCache | undefined;
  /** Puts something around the ledger's statements, for tests that hold or fail them. */
  readonly aroundStorage?: LedgerParts["aroundStorage"];
}

/** The relay, and what it can do for the features that need providers or know nothing of channels' health. */
export interface Relay {
  readonly server: Pick<ServerLedger, "start" | "isLive">;
  readonly deps: RelayDependencies;
  readonly probeChannel: ProbeChannel;
  readonly listShares: ListShares;
  readonly listPrices: ListPrices;
  readonly findUnpriced: FindUnpriced;
  readonly sleep: ChannelSleep;
  readonly statesOf: ChannelDependencies["statesOf"];
  readonly getJson: GetJson;
  /** Waits until every request is settled and closes the connections to providers. */
  close(): Promise<void>;
}

/** Builds the relay on its parts. */
export function createRelay(parts: RelayParts): Relay {
  const { database, secrets, changes, clock, options, log } = parts;
  const client = createUpstreamClient(options);
  const pictures = createPictureFetcher(parts.allowedNetworks);
  const server = createLedger(parts);
  const callerChanges = listenForCallerChanges(database, clock);
  const health = createChannelHealth(clock);
  const refusals = createRefusals(parts, server.ledger);
  const bodies = createBodies(parts);
  const flushing = setInterval(() => void Promise.all([refusals.flush(), bodies.flush()]), FLUSH_MS).unref();
  const channels = createChannelSource(parts);
  const loadChannel = (channelId: number) => loadChannelForRelay(database.db, secrets, channelId);
  const countTokens = createCountTokens(options);
  const deps: RelayDependencies = {
    client,
    ledger: server.ledger,
    batches: server.batches,
    billing: createBilling(database.db, options),
    callers: createCallerSource(database, secrets, changes, callerChanges, clock),
    channels,
    plans: createRoutePlans({ channels, loadChannel, options, database: database.db }),
    translate: createTranslate(countTokens.text, () => nowSeconds(clock)),
    providerIo: createProviderIo(client, clock, pictures.fetchPicture),
    loadChannel,
    health,
    poolTurns: new PoolTurns(),
    limiter: createTokenLimiter(clock),
    wrongKeys: new WrongKeys(),
    refusals,
    options,
    active: new ActiveRelays(),
    countTokens,
    clock,
    log,
    clientAddress: parts.clientAddress,
    ...createRooms(),
    turns: new TimeSlices(),
    random: Math.random,
    timeouts: { ...RELAY_TIMEOUTS, ...parts.timeouts },
    ...createChannelChecks(parts, server.ledger),
    notes: createChannelNotes(parts, log),
    bodies,
    keptObjects: createKeptObjects(database.db, clock, log),
    database: database.db,
  };
  const sweeping = setInterval(() => sweepKept(deps), FILES_SWEEP_MS).unref();
  return {
    server,
    deps,
    probeChannel: createProbeChannel(deps),
    listShares: createListShares(deps),
    listPrices: createListPrices(deps),
    findUnpriced: createFindUnpriced(deps),
    sleep: sleepOf(health),
    statesOf: statesOf(health),
    getJson: createGetJson(client),
    close: async () => {
      await deps.active.idle();
      clearInterval(flushing);
      clearInterval(sweeping);
      await refusals.flush(true);
      await bodies.flush();
      await deps.notes.written();
      await deps.keptObjects.written();
      await callerChanges?.stop();
      await client.destroy();
      await pictures.close();
    },
  };
}

/** What may switch a channel off; nobody waits for it. */
function createChannelChecks(
  parts: RelayParts,
  ledger: Ledger,
): Pick<RelayDependencies, "disableChannel" | "checkSpending"> {
  const { options, log } = parts;
  return {
    disableChannel(channelId, reason) {
      if (!options.flag("AutomaticDisableChannelEnabled")) return;
      disableChannelAutomatically(parts, channelId, reason).catch((error: unknown) => {
        log.error({ err: error, channelId }, "a channel could not be disabled");
      });
    },
    checkSpending(channelId) {
      ledger
        .applyCharges()
        .then(() => disableSpentChannels(parts, options.number("QuotaPerUnit"), channelId))
        .catch((error: unknown) => {
          log.error({ err: error, channelId }, "a channel's spending could not be read");
        });
    },
  };
}

function createRooms(): Pick<RelayDependencies, "bodyRoom" | "bodyMemory" | "answerRoom" | "sessionRoom"> {
  return {
    bodyRoom: new BodyRoom(BODY_ROOM_BYTES),
    bodyMemory: new BodyMemory(),
    answerRoom: new ByteBudget(ANSWER_ROOM_BYTES),
    sessionRoom: new ByteBudget(SESSION_ROOM_BYTES),
  };
}

function createLedger({ database, clock, log, aroundStorage }: RelayParts): ServerLedger {
  return createServerLedger({
    database,
    clock,
    ...(aroundStorage && { aroundStorage }),
    warn: (error) => log.warn({ err: error }, "the ledger could not do its work; it tries again"),
    onFenced: () =>
      log.warn("other servers took this one for dead and settled its open requests, which end with an error"),
    onOutdated(error) {
      log.fatal({ err: error }, error.message);
      process.exit(1);
    },
  });
}

function createRefusals({ database, clock, options, log, shortages }: RelayParts, ledger: Ledger): RefusalLog {
  return createRefusalLog({
    clock,
    isOn: () => options.flag("LogConsumeEnabled"),
    log,
    writeLogs: (rows) => ledger.writeLogs(rows),
    shortOfQuota: (caller) => shortages.note(caller),
    addFlagged: (counts) => addFlaggedPrompts(database.db, counts),
  });
}

/** Forgets what providers keep no longer. */
function sweepKept({ providerIo, keptObjects, clock, log }: RelayDependencies): void {
  providerIo.files.sweep(clock.nowMs());
  keptObjects.sweep().catch((error: unknown) => log.warn({ err: error }, "what has expired could not be forgotten"));
}

function sleepOf(health: ChannelHealth): ChannelSleep {
  return {
    sleepingModels: (channelId) =>
      health
        .sleepingModels(channelId)
        .map(({ model, untilMs }) => ({ model, awakeTimeSeconds: Math.ceil(untilMs / 1000) })),
    sleepingChannels: () => health.sleepingChannels(),
    forget: (channelId) => health.forget(channelId),
  };
}

function statesOf(health: ChannelHealth): Relay["statesOf"] {
  return (channelId, models) =>
    models.map((model) => {
      const rest = health.restOf(channelId, model);
      const untilSeconds = rest === undefined ? 0 : Math.ceil(rest.untilMs / 1000);
      return { rest: rest?.reason ?? "", untilSeconds, latencyMs: health.latencyMs(channelId, model) };
    });
}

function createBodies({ database, options, log }: RelayParts): BodyKeeper {
  return createBodyKeeper({
    options,
    log,
    write: (bodies) => insertKeptBodies(database, bodies),
    trim: (mostBytes) => trimBodies(database.db, mostBytes),
  });
}

import manifest from "../package.json" with { type: "json" };
import { MANAGEMENT_KEY_PREFIX } from "@one-api/contract/accounts/management-key-constants";
import type { ChannelDependencies } from "./features/channels/index.ts";
import { limitUnprotectedAdmin } from "./features/factors/index.ts";
import { createQuotaShortages } from "./features/alerts/index.ts";
import { createLogClearings, type LogClearings } from "./features/logs/index.ts";
import { createMailer, createMessagePusher } from "./features/mail/index.ts";
import { createOptionStore, createWriteCheck, followMasterKey } from "./features/options/index.ts";
import { followPriceList, type PriceListDependencies } from "./features/pricing/index.ts";
import { authenticateSession } from "./features/sessions/index.ts";
import {
  type FirstLogin,
  type PasswordHasher,
  authenticateAccessToken,
  authenticateManagementKey,
  createPasswordHasher,
  createRoot,
  hasDefaultPassword,
  rememberAllIdentities,
} from "./features/users/index.ts";
import { Outages, type SystemParts } from "./features/system/index.ts";
import { fileURLToPath } from "node:url";
import { migrate } from "@one-api/database/migrate";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { AppDeps } from "./app.ts";
import type { Config } from "./config.ts";
import { nameInstance } from "./instance-name.ts";
import { JobRuns } from "./platform/work/job-runs.ts";
import { isLoopbackHost } from "./platform/network/loopback-host.ts";
import { createChangeFeed } from "./core/change-feed.ts";
import { type Clock, nowSeconds, systemClock } from "./platform/clock.ts";
import type { OptionStore } from "./core/option-store.ts";
import { createClientAddress } from "./platform/requests/client-address.ts";
import { createShownBasePath } from "./platform/requests/shown-base-path.ts";
import { connectRedis, type Redis } from "./platform/redis.ts";
import type { Authenticate, Credentials } from "./http/credentials.ts";
import { startLedgerJob } from "./jobs/ledger.job.ts";
import { startServersJob } from "./jobs/servers.job.ts";
import type { StoppableJob } from "./jobs/periodic-job.ts";
import { startJobs } from "./jobs/start-jobs.ts";
import type { LogStore } from "@one-api/log-store/log-store";
import type { LedgerParts } from "@one-api/ledger/create-server-ledger";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { openLogStore } from "./open-log-store.ts";
import { openSecrets } from "./open-secrets.ts";
import { balanceQueryOf, modelCatalogue, modelListOf, priceListReader } from "./provider-facts.ts";
import { registerCalls } from "./register-calls.ts";
import { startMetrics, startTelemetry } from "./monitoring/start-monitoring.ts";
import { type Relay, createRelay } from "./relay/create-relay.ts";
import { cheapestModel } from "./relay/own-calls/index.ts";
import type { RelayTimeouts } from "./relay/relay-timeouts.ts";
import type { RequestTracer, Telemetry } from "./relay/telemetry/index.ts";

/** Built by `npm start`. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** The connected components of one server, which does not listen yet. */
export interface Wired {
  readonly deps: AppDeps;
  readonly relay: Relay;
  readonly options: OptionStore;
  readonly firstLogin: FirstLogin | undefined;
  /** True while root has the default password. */
  readonly hasDefaultPassword: boolean;
  /** Call it after the last request. */
  readonly close: () => Promise<void>;
}

export interface WireDeps {
  readonly config: Config;
  /** Migrated; `wire` does not close it. */
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly consoleDirectory: string;
  readonly logStore: LogStore;
  readonly hasher?: PasswordHasher;
  readonly timeouts?: Partial<RelayTimeouts>;
  readonly aroundStorage?: LedgerParts["aroundStorage"];
}

/**
 * Builds a server on the configured database and the system clock. Throws StartError and DatabaseStartError
 * for the operator.
 */
export async function wire(config: Config, log: Logger, logStore = openLogStore(config, log)): Promise<Wired> {
  const database = await connectDatabase(config);
  try {
    await migrate(database, undefined, (error) => {
      log.warn({ err: error }, "the migration waits until others, such as a backup, release its tables");
    });
    const parts = await wireParts({
      config,
      database,
      clock: systemClock,
      log,
      consoleDirectory: CONSOLE_DIRECTORY,
      logStore,
    });
    return {
      ...parts,
      async close() {
        await parts.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Connects the components and settles requests that a stopped server left open. Throws StartError for a wrong
 * master key.
 */
export async function wireParts({
  config,
  database,
  clock,
  log,
  consoleDirectory,
  logStore,
  hasher = createPasswordHasher(),
  timeouts = {},
  aroundStorage = (storage) => storage,
}: WireDeps): Promise<Wired> {
  const { rootPassword } = config;
  const secrets = await openSecrets(config, database);
  const changes = createChangeFeed();
  const context = { database, clock, secrets, changes, logStore };
  const options = await createOptionStore({ database, secrets, changes, log });
  await followRotation({ database, secrets, changes, log });
  const onlyThisMachine = isLoopbackHost(config.host);
  const ledger = createQuotaLedger();
  const firstLogin = await createRoot({ database, clock, hasher, ledger, rootPassword, onlyThisMachine });
  await rememberAllIdentities({ database, clock, secrets });
  const pricing = await createPricing({ database, changes, options, log });
  const shortages = createQuotaShortages();
  const redis = await connectRedis(config.redisUrl, clock, log);
  const clientAddress = createClientAddress(config.trustedProxies);
  const facts = { version: manifest.version, startedAt: nowSeconds(clock) };
  const { telemetry, tracer } = await startTelemetry(config, { ...facts, clock, log });
  const relay = createRelay({
    ...context,
    telemetry,
    redis,
    shortages,
    options,
    log,
    timeouts: { ...waitsOf(config), ...timeouts },
    aroundStorage,
    clientAddress,
    allowedNetworks: config.allowedPrivateNetworks,
  });
  const runs = new JobRuns(clock, log);
  const ledgerJob = await startLedgerJob(relay, clock, runs);
  const channels = channelDependencies(relay, options, log);
  const messages = { mailer: createMailer(options), pusher: createMessagePusher(options) };
  const shared = { options, log, clearings: createClearings(relay, log) };
  const jobs = startJobs({ context, ...shared, runs, shortages, relay, channels, messages, pricing });
  const { parts: system, ...watch } = watchServer(config, { ...context, ...facts, telemetry, relay, log, runs });
  const deps: AppDeps = {
    ...context,
    options,
    log,
    authenticate: authenticateOn(database, clock, options),
    clientAddress,
    trustedProxies: config.trustedProxies,
    ...watch.deps,
    ...basePathsOf(config),
    consoleDirectory,
    relay: relay.services,
    registerCalls: (registry) =>
      registerCalls(registry, { ...shared, hasher, facts, system, channels, relay, pricing, redis, ...messages }),
  };
  return {
    deps,
    relay,
    options,
    firstLogin,
    hasDefaultPassword: await hasDefaultPassword(database.db),
    close: () =>
      closeServer({ monitor: watch, jobs, logStore, relay, ledgerJob, serversJob: watch.job, redis, tracer }),
  };
}

async function createPricing(
  parts: Pick<AppDeps, "database" | "changes" | "options" | "log">,
): Promise<PriceListDependencies> {
  const reader = priceListReader;
  const priceLists = await followPriceList({ ...parts, reader });
  return { options: parts.options, catalogue: modelCatalogue, reader, priceLists, program: manifest.version };
}

function waitsOf({ streamWaitMs, answerWaitMs, reportWaitMs, drainMs }: Config): Partial<RelayTimeouts> {
  return { streamFirstByteMs: streamWaitMs, answerFirstByteMs: answerWaitMs, reportMs: reportWaitMs, drainMs };
}

interface WatchedParts extends Pick<AppDeps, "database" | "clock" | "log" | "logStore"> {
  readonly version: string;
  readonly startedAt: number;
  readonly telemetry: Telemetry;
  readonly relay: Relay;
  readonly runs: JobRuns;
}

/** Starts the metrics and the server's reports. Returns what the page System shows, too. */
function watchServer(config: Config, watched: WatchedParts) {
  const { database, clock, log, version, startedAt, runs } = watched;
  const { server, services } = watched.relay;
  const canWrite = createWriteCheck(database, clock, log);
  const { deps, balances, stop } = startMetrics(config, { ...watched, canWrite });
  const { inFlight, bodyMemory, answerMemory, sessionMemory } = services;
  const outages = new Outages();
  const parts: SystemParts = {
    name: nameInstance(config),
    version,
    startedAt,
    balances,
    canWrite,
    runs,
    ledger: server,
    inFlight,
    outages,
    budgets: () => [
      { name: "bodies", used_bytes: bodyMemory.taken.all, limit_bytes: bodyMemory.bytes },
      { name: "answers", used_bytes: answerMemory.taken, limit_bytes: answerMemory.bytes },
      { name: "sessions", used_bytes: sessionMemory.taken, limit_bytes: sessionMemory.bytes },
    ],
  };
  return { deps: { ...deps, canWrite }, parts, stop, job: startServersJob(watched, { parts, outages, runs }) };
}

function createClearings({ services }: Relay, log: Logger): LogClearings {
  const { ledger, inFlight } = services;
  return createLogClearings({ ledger: ledger.quota, isDraining: () => inFlight.isDraining, log });
}

function basePathsOf({ basePath, trustedProxies }: Config): Pick<AppDeps, "basePath" | "shownBasePath"> {
  return { basePath, shownBasePath: createShownBasePath(trustedProxies, basePath) };
}

function channelDependencies(relay: Relay, options: OptionStore, log: Logger): ChannelDependencies {
  const { cooldowns, statesOf, probeChannel, listShares, getJsonThrough } = relay;
  return {
    options,
    log,
    cooldowns,
    statesOf,
    probeChannel,
    cheapestModel,
    listShares,
    getJsonThrough,
    balanceQueryOf,
    modelListOf: (type, proxy) => modelListOf(type, relay.services.upstream.through(proxy).providerIo),
  };
}

interface Closing {
  readonly monitor: { readonly stop: () => void };
  readonly jobs: StoppableJob;
  readonly logStore: LogStore;
  readonly relay: Relay;
  readonly ledgerJob: StoppableJob;
  readonly serversJob: StoppableJob;
  readonly redis: Redis | undefined;
  readonly tracer: RequestTracer | undefined;
}

/** The ledger closes after the last settlement. */
async function closeServer(closing: Closing): Promise<void> {
  const { monitor, jobs, logStore, relay, ledgerJob, serversJob, redis, tracer } = closing;
  monitor.stop();
  await jobs.stop();
  await logStore.close();
  relay.services.inFlight.drain();
  await relay.close();
  await ledgerJob.stop();
  await serversJob.stop();
  await relay.services.ledger.close();
  redis?.close();
  await tracer?.close();
}

function authenticateOn({ db }: OpenDatabase, clock: Clock, options: OptionStore): Authenticate {
  const find = async ({ bearer, sessionId }: Credentials, address: string) => {
    if (bearer?.startsWith(MANAGEMENT_KEY_PREFIX) === true)
      return authenticateManagementKey(db, clock, { key: bearer, address });
    if (bearer !== undefined) return authenticateAccessToken(db, clock, bearer);
    return sessionId === undefined ? undefined : authenticateSession(db, clock, sessionId);
  };
  return async (credentials, address) => {
    const caller = await find(credentials, address);
    return caller === undefined ? undefined : limitUnprotectedAdmin(options, caller);
  };
}

/** Encrypts with the database's own master key, also after another process has rotated it. */
async function followRotation({
  database,
  secrets,
  changes,
  log,
}: Pick<AppDeps, "database" | "secrets" | "changes" | "log">): Promise<void> {
  changes.subscribe("options", () => {
    followMasterKey(database, secrets).catch((error: unknown) =>
      log.error({ err: error }, "the master key of the database could not be read"),
    );
  });
  // Options have been read since the start, so a later rotation announces itself.
  await followMasterKey(database, secrets);
}

import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TestContext } from "node:test";
import type { Endpoint } from "@one-api/providers/provider";
import { pino } from "pino";
import type { OptionStore } from "../../../core/option-store.ts";
import { TimeSlices } from "../../../platform/work/time-slices.ts";
import { limitsOf } from "../../../features/limits/index.ts";
import type { ChannelForRelay } from "../../../features/channels/index.ts";
import { TEST_MODEL, testChannel } from "../../../testing/test-channel.ts";
import { InFlightRequests } from "../../in-flight/index.ts";
import { BodyMemory, BufferPool } from "../../body/index.ts";
import { type Caller, WrongKeys } from "../../callers/index.ts";
import { RateLimiter } from "../../limits/index.ts";
import type { RefusedCall } from "../../callers/refusal-log.ts";
import {
  createChannelHealth,
  findCandidates,
  type PricedCandidate,
  RetryBudget,
  RoundRobin,
  type RoutePlan,
} from "../../routing/index.ts";
import { openai } from "../../dialects/index.ts";
import { priceModel } from "../../pricing/index.ts";
import type { RequestServices } from "../request-services.ts";
import { RelayError } from "../../errors/index.ts";
import { RelayedRequest } from "../relayed-request.ts";
import { createTranslate } from "../../translate/index.ts";
import { MemoryBudget } from "../../../platform/memory/memory-budget.ts";
import { createGetJson, createProviderIo, createSharedIo } from "../../upstream/index.ts";
import { FakeCaller } from "./fake-caller.ts";
import { type Ending, FakeLedger } from "./fake-ledger.ts";
import { FakeUpstream } from "./fake-upstream.ts";
import { RELAY_TIMEOUTS, type RelayTimeouts } from "../../relay-timeouts.ts";
import { type EndedRequest, Telemetry } from "../../telemetry/index.ts";

/** Id of the request under test. */
export const REQUEST_ID = "request-1";

const START_MS = Date.UTC(2025, 5, 1, 12);
const ROOM_BYTES = 1024 * 1024;

/** What a test wants to be different from a request that is served at once. */
export interface RequestSetup {
  readonly caller?: Partial<Caller>;
  /** False: the key is unknown. */
  readonly isKeyKnown?: boolean;
  readonly looksUp?: Ending;
  readonly plans?: Ending;
  /** How many candidates there are; two by default. */
  readonly candidates?: number;
  readonly counts?: Ending;
  readonly endpoint?: Endpoint;
  /** Longest wait at a limit, in ms; 0 by default. */
  readonly queueMs?: number;
  /** A channel serves a moderation model. */
  readonly hasModeration?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeouts?: Partial<RelayTimeouts>;
  /** Memory for bodies, in bytes. */
  readonly bodyBytes?: number;
}

/** A request under test with everything around it. */
export type StartedRequest = ReturnType<typeof startRequest>;

/** A call that ends at once, with an error, or when a test says so. */
class Answers<Value> {
  readonly #ending: Ending;
  readonly #value: Value;
  readonly #waiting = Promise.withResolvers<Value>();
  /** Number of calls so far. */
  asked = 0;

  constructor(ending: Ending, value: Value) {
    this.#ending = ending;
    this.#value = value;
    // A call that fails before anybody asks is no unhandled rejection.
    this.#waiting.promise.catch(() => undefined);
  }

  ask(): Value | Promise<Value> {
    this.asked += 1;
    if (this.#ending === "now") return this.#value;
    return this.#ending === "later" ? this.#waiting.promise : Promise.reject(this.#ending);
  }

  answer(): void {
    this.#waiting.resolve(this.#value);
  }

  fail(error: Error): void {
    this.#waiting.reject(error);
  }
}

const options: Pick<OptionStore, "ratios" | "prices"> = { ratios: () => new Map(), prices: () => new Map() };

const providerSwitches = () => ({ geminiNative: false, geminiUpload: false });

/** Starts a request on fakes of its caller, its providers and the ledger. Timers and clock stand still until `advance`. */
export function startRequest(t: TestContext, setup: RequestSetup = {}) {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let elapsedMs = 1_000;
  const clock = { nowMs: () => START_MS + elapsedMs, monotonicMs: () => elapsedMs };
  const caller = new FakeCaller({ authorization: "Bearer sk-key", "content-length": "500", ...setup.headers });
  const upstream = new FakeUpstream();
  const ledger = new FakeLedger();
  const keys = new Answers(setup.looksUp ?? "now", setup.isKeyKnown === false ? undefined : testCaller(setup.caller));
  const plans = new Answers(setup.plans ?? "now", planOf(setup));
  const counts = new Answers(setup.counts ?? "now", 7);
  const records = createRecords();
  const inFlight = new InFlightRequests();
  const limiter = new RateLimiter({
    clock,
    place: () => ({ index: 0, count: 1 }),
    shared: undefined,
    queueMs: () => setup.queueMs ?? 0,
  });
  const ended: EndedRequest[] = [];
  const telemetry = new Telemetry();
  telemetry.observe((request) => ended.push(request));
  const bodyMemory = new BodyMemory(setup.bodyBytes ?? ROOM_BYTES);
  const bodyBuffers = new BufferPool();
  const answerMemory = new MemoryBudget(ROOM_BYTES);
  const noPicture = () => Promise.reject(new Error("No picture is fetched."));
  const providerIo = createProviderIo(upstream, createSharedIo(clock, noPicture));
  const services: RequestServices = {
    ...records.services,
    upstream: {
      through: () => ({ client: upstream, providerIo, getJson: createGetJson(upstream) }),
      addressOf: () => "",
    },
    fetchPicture: noPicture,
    ledger,
    callers: { find: () => keys.ask(), read: () => Promise.resolve(undefined) },
    channels: { snapshot: () => snapshotOf(setup.hasModeration === true ? [testChannel(9)] : []) },
    plans: {
      find: () => plans.ask(),
      pinned: () => Promise.reject(new Error("No channel is pinned.")),
      unserved: () => Promise.reject(new Error("No model is unserved.")),
    },
    aliases: { find: () => undefined, names: () => [] },
    translate: createTranslate(countText, () => 0),
    health: createChannelHealth(clock),
    roundRobin: new RoundRobin(),
    retryBudget: new RetryBudget(),
    limiter,
    telemetry,
    wrongKeys: new WrongKeys(),
    poolMode: () => "random",
    maxLatencyMs: () => 0,
    retryTimes: () => 3,
    isRoutingSticky: () => false,
    providerSwitches,
    isLogged: () => true,
    leastCappedTokens: () => 0,
    loadChannel: () => Promise.resolve(undefined),
    inFlight,
    countTokens: {
      load: () => undefined,
      text: countText,
      prompt: async () => await counts.ask(),
      promptAtMost: () => Promise.resolve(undefined),
    },
    clock,
    log: pino({ level: "silent" }),
    clientAddress: () => "192.0.2.1",
    bodyMemory,
    bodyBuffers,
    timeSlices: new TimeSlices(),
    answerMemory,
    random: () => 0,
    timeouts: { ...RELAY_TIMEOUTS, ...setup.timeouts },
  };
  const path = openai.callAt("/v1/chat/completions", "");
  assert.ok(path !== undefined);
  const { request, response } = caller;
  new RelayedRequest({
    services: services,
    dialect: openai,
    callPath: path,
    request,
    response,
    requestId: REQUEST_ID,
  }).begin();
  return {
    caller,
    response,
    upstream,
    ledger,
    keys,
    plans,
    counts,
    inFlight,
    bodyMemory,
    bodyBuffers,
    answerMemory,
    /** Descriptions for metrics, request log and traces. */
    ended,
    ...records,
    /** Where the token stands under its limits. */
    limiter,
    standing: () => limiter.headers(testCaller(setup.caller).limits, openai.writeLimits),
    /** Moves the clock on, and lets timers fire. */
    advance: (ms: number) => {
      elapsedMs += ms;
      t.mock.timers.tick(ms);
    },
    /** The periodic look at callers that take nothing. */
    endStalled: () => inFlight.endStalled(elapsedMs),
    keepAlive: () => inFlight.keepAlive(elapsedMs),
    /** True once a test has declared the server dead. */
    isFenced: false,
    /** The only settlement; throws where there is none, or more. */
    settlement: () => {
      assert.equal(ledger.settlements.length, 1, "the request is settled once");
      const [settlement] = ledger.settlements;
      assert.ok(settlement !== undefined);
      return settlement;
    },
  };
}

/** Lets promises and `nextTick` callbacks run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
}

/** A server that ends its requests. */
export function serverEnds(): RelayError {
  return new RelayError({ status: 503, code: "unavailable", message: "The gateway is stopping." });
}

function countText(text: string): number {
  return Math.ceil(text.length / 4);
}

function testCaller(more: Partial<Caller> = {}): Caller {
  return {
    tokenId: 3,
    tokenName: "token",
    tokenStatus: 1,
    expiredTime: -1,
    keyEndsAt: -1,
    keyHint: "",
    unlimitedQuota: false,
    budgets: undefined,
    models: undefined,
    networks: undefined,
    limits: limitsOf({ id: 3, tpm_limit: 100 }),
    customContact: "",
    moderated: false,
    storesBodies: false,
    userId: 2,
    username: "user",
    userRole: 1,
    userStatus: 1,
    groups: ["default"],
    groupFailover: false,
    ...more,
  };
}

function planOf({ candidates = 2, endpoint = "chat-completions" }: RequestSetup): RoutePlan {
  const channels = Array.from({ length: candidates }, (_, index) => testChannel(index + 1, candidates - index));
  const { routes } = findCandidates(channels, TEST_MODEL, endpoint, providerSwitches());
  const price = priceModel(options, { model: TEST_MODEL, type: 1, group: "default", endpoint });
  return {
    routes: routes.map((route): PricedCandidate => ({ ...route, group: "default", price, costPrice: undefined })),
    others: [],
  };
}

function snapshotOf(judges: readonly ChannelForRelay[]) {
  const serving = (_group: string, model: string) => (model.includes("moderation") ? judges : []);
  return {
    serving,
    servingOthers: () => [],
    channelsOf: () => [],
    serves: () => true,
    modelsOf: () => [],
  };
}

/** Records of what a request reports to others. */
function createRecords() {
  const refusals: RefusedCall[] = [];
  /** Ids of channels whose provider answered, or failed. */
  const succeeded: number[] = [];
  const failed: number[] = [];
  const stored: string[] = [];
  const unexpected = () => undefined;
  return {
    refusals,
    succeeded,
    failed,
    stored,
    services: {
      refusals: {
        record: (call: RefusedCall) => void refusals.push(call),
        countFlagged: unexpected,
        flush: () => Promise.resolve(),
      },
      events: {
        accountLimited: unexpected,
        rested: unexpected,
        leftUnanswered: unexpected,
        failed: ({ id }: ChannelForRelay) => void failed.push(id),
        answered: ({ id }: ChannelForRelay) => void succeeded.push(id),
        written: () => Promise.resolve(),
      },
      bodies: {
        begin: () => ({
          take: unexpected,
          end: () => void stored.push("stored"),
          drop: () => void stored.push("dropped"),
        }),
        flush: () => Promise.resolve(),
      },
      storedObjects: {
        recordResponse: unexpected,
        find: () => Promise.resolve([]),
        sweep: () => Promise.resolve(),
        written: () => Promise.resolve(),
      },
      checkSpending: unexpected,
      disableChannel: unexpected,
      disableKey: unexpected,
    },
  };
}

import { createChannel } from "@one-api/contract/channels/channel";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { DatabaseKind } from "@one-api/database/test-databases";
import { buildApp } from "../../../app.ts";
import { createTestApp, type TestApp } from "../../../testing/create-test-app.ts";
import type { TestRole } from "../../../testing/create-test-user.ts";
import { createTestClient, type TestClient } from "../../../testing/test-client.ts";
import type { BalanceQuery, ModelListQuery, ModelState, ProbeOutcome, SleepingModel } from "../channel-dependencies.ts";
import type { ChannelForRelay } from "../load-channels-for-relay.ts";
import { registerChannelCalls } from "../channel.routes.ts";

const AWAKE: ModelState = { rest: "", untilSeconds: 0, latencyMs: undefined };

/** What stands in for providers and the relay; a test sets it. */
interface Surroundings {
  probe: (channel: ChannelForRelay, model: string) => ProbeOutcome | Promise<ProbeOutcome>;
  balanceQueries: Map<ChannelType, BalanceQuery>;
  modelLists: Map<ChannelType, ModelListQuery>;
  sleeping: Map<number, SleepingModel[]>;
  /** By id of the channel and name of the model, with a space between. */
  states: Map<string, ModelState>;
  forgotten: number[];
}

/** The calls on channels with nothing but stand-ins around them. */
export interface ChannelTestApp {
  readonly testApp: TestApp;
  readonly around: Surroundings;
  clientAs(role: TestRole): Promise<TestClient>;
  /** Creates a channel by the call and returns its id. */
  addChannel(admin: TestClient, body?: Record<string, unknown>): Promise<number>;
  /** Everything that the database and the log hold, as one text. */
  everythingStored(): Promise<string>;
  close(): Promise<void>;
}

/** Builds it on a new database of that kind. Close it after the test. */
export async function createChannelTestApp(kind: DatabaseKind): Promise<ChannelTestApp> {
  const testApp = await createTestApp({ kind });
  const around: Surroundings = {
    probe: () => ({ ok: true, elapsedMs: 1_234, text: "I am a model", address: "provider.example/v1/chat" }),
    modelLists: new Map(),
    balanceQueries: new Map(),
    sleeping: new Map(),
    states: new Map(),
    forgotten: [],
  };
  const app = buildApp({
    ...testApp.deps,
    registerCalls: (registry) => registerChannelCalls(registry, standIns(testApp, around)),
  });
  await app.ready();
  return {
    testApp,
    around,
    clientAs: async (role) => {
      const sessionId = (await testApp.logInAs(role)).client.sessionId();
      return createTestClient(app, sessionId === undefined ? {} : { sessionId });
    },
    addChannel: async (admin, body = {}) => {
      const { ids } = await admin.data(createChannel, {
        body: { type: 1, name: "one", key: "sk-default-key-1", models: "gpt-4o", ...body },
      });
      return ids[0] ?? 0;
    },
    everythingStored: async () => {
      const { db } = testApp.database;
      const rows = [
        await db.selectFrom("channels").selectAll().execute(),
        await db.selectFrom("audit").selectAll().execute(),
        await db.selectFrom("logs").selectAll().execute(),
      ];
      return JSON.stringify([rows, testApp.logLines]);
    },
    close: async () => {
      await app.close();
      await testApp.close();
    },
  };
}

function standIns({ deps }: TestApp, around: Surroundings): Parameters<typeof registerChannelCalls>[1] {
  return {
    options: deps.options,
    log: deps.log,
    sleep: {
      sleepingChannels: () => [...around.sleeping.keys()],
      sleepingModels: (id) => around.sleeping.get(id) ?? [],
      forget: (id) => void around.forgotten.push(id),
    },
    statesOf: (id, models) => models.map((model) => around.states.get(`${id} ${model}`) ?? AWAKE),
    probeChannel: async (channel, model) => around.probe(channel, model),
    listShares: async (model, group) => [
      {
        channel: 1,
        name: `${model} for ${group}`,
        priority: 0,
        weight: 0,
        share: 1,
        reason: "",
        code: "",
        awake_in: 0,
      },
    ],
    balanceQueryOf: (type) => around.balanceQueries.get(type),
    modelListOf: (type) => around.modelLists.get(type),
    getJson: async () => ({ total: 12.5 }),
  };
}

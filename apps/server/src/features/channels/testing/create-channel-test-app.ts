import { createChannel } from "@one-api/contract/channels/channel";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { DatabaseKind } from "@one-api/database/test-databases";
import { buildApp } from "../../../app.ts";
import { createTestApp, type TestApp } from "../../../testing/create-test-app.ts";
import type { TestRole } from "../../../testing/create-test-user.ts";
import { createTestClient, type TestClient } from "../../../testing/test-client.ts";
import type {
  BalanceQuery,
  ChannelDependencies,
  ModelCooldown,
  ModelListQuery,
  ModelState,
  ProbeOutcome,
} from "../channel-dependencies.ts";
import type { ChannelForRelay } from "../load-channels-for-relay.ts";
import { registerChannelCalls } from "../channel.routes.ts";

const SERVING: ModelState = { rest: "", untilSeconds: 0, latencyMs: undefined };

interface Surroundings {
  probe: (channel: ChannelForRelay, model: string) => ProbeOutcome | Promise<ProbeOutcome>;
  balanceQueries: Map<ChannelType, BalanceQuery>;
  modelLists: Map<ChannelType, ModelListQuery>;
  cooling: Map<number, ModelCooldown[]>;
  /** Key: `<channel id> <model>`. */
  states: Map<string, ModelState>;
  forgotten: number[];
  recovered: number[];
}

/** The channel calls with fakes of everything else. */
export interface ChannelTestApp {
  readonly testApp: TestApp;
  readonly around: Surroundings;
  readonly dependencies: ChannelDependencies;
  clientAs(role: TestRole): Promise<TestClient>;
  addChannel(admin: TestClient, body?: Record<string, unknown>): Promise<number>;
  /** Content of the database and the log as one text. */
  everythingStored(): Promise<string>;
  close(): Promise<void>;
}

/** Uses a new database of the kind. Close it after the test. */
export async function createChannelTestApp(kind: DatabaseKind): Promise<ChannelTestApp> {
  const testApp = await createTestApp({ kind });
  const around: Surroundings = {
    probe: () => ({ ok: true, elapsedMs: 1_234, text: "I am a model", address: "provider.example/v1/chat" }),
    modelLists: new Map(),
    balanceQueries: new Map(),
    cooling: new Map(),
    states: new Map(),
    forgotten: [],
    recovered: [],
  };
  const dependencies = fakeDependencies(testApp, around);
  const app = buildApp({
    ...testApp.deps,
    registerCalls: (registry) => registerChannelCalls(registry, dependencies),
  });
  await app.ready();
  return {
    testApp,
    around,
    dependencies,
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
        await db.selectFrom("channel_keys").selectAll().execute(),
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

function fakeDependencies({ deps }: TestApp, around: Surroundings): ChannelDependencies {
  return {
    options: deps.options,
    log: deps.log,
    cooldowns: {
      keyCooldown: () => 0,
      forgetKey: () => undefined,
      coolingChannels: () => [...around.cooling.keys()],
      coolingModels: (id) => around.cooling.get(id) ?? [],
      forget: (id) => void around.forgotten.push(id),
      recover: (id) => void around.recovered.push(id),
    },
    statesOf: (id, models) => models.map((model) => around.states.get(`${id} ${model}`) ?? SERVING),
    probeChannel: async (channel, model) => around.probe(channel, model),
    cheapestModel: ({ models }) => [...models].find((model) => model.endsWith("-mini")),
    listShares: async (model, group) => [
      {
        channel: 1,
        name: `${model} for ${group}`,
        type: 1,
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
    getJsonThrough: () => async () => ({ total: 12.5 }),
  };
}

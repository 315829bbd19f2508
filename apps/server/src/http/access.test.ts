import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import type { Method } from "@one-api/contract/call";
import { KEY_SCOPES, type KeyScope } from "@one-api/contract/accounts/management-key-constants";
import { hasScope } from "@one-api/contract/accounts/management-key-scopes";
import { mayAccess, ROLE } from "@one-api/contract/accounts/roles";
import { listSessions } from "@one-api/contract/accounts/session";
import { createAlertRule } from "@one-api/contract/notifications/alert-rule";
import { createToken } from "@one-api/contract/token";
import { createAccessToken } from "@one-api/contract/accounts/user";
import { saveView } from "@one-api/contract/view";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { z } from "zod";
import { createTestApp, type TestApp, type TestLogin } from "../testing/create-test-app.ts";
import { clientWithKey } from "../testing/create-test-key.ts";
import { createTestClient, type TestClient, type TestInput } from "../testing/test-client.ts";
import type { TestRole } from "../testing/create-test-user.ts";

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];
const CALLERS = ["anonymous", "user", "admin", "root"] as const;

const accessSchema = z.enum(["anyone", "user", "admin", "root"]);
const rowIdSchema = z.looseObject({ type: z.literal("integer") });
const parameterSchema = z.looseObject({ name: z.string() });
const operationSchema = z.looseObject({
  "x-access": accessSchema,
  "x-scope": z.enum(KEY_SCOPES).optional(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z
    .object({
      content: z.object({
        "application/json": z.object({
          schema: z.object({ properties: z.record(z.string(), z.unknown()).default({}) }),
        }),
      }),
    })
    .optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: z.output<typeof accessSchema>;
  /** Undefined where no management key may call. */
  readonly scope: KeyScope | undefined;
  /** As it is documented, with the method in front. */
  readonly name: string;
  /** Whether its path, query or body names a row. */
  readonly namesRow: boolean;
}

/** Parts of a path that name no row. */
const NO_ROWS: ReadonlySet<string> = new Set(["binding"]);
/** What a row is called in a query. */
const ROWS_IN_QUERIES: ReadonlySet<string> = new Set(["id", "token"]);

function namesRow(path: string, { parameters, requestBody }: z.output<typeof operationSchema>): boolean {
  return (
    [...path.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !NO_ROWS.has(name)) ||
    parameters.some(({ name, in: place }) => place === "query" && ROWS_IN_QUERIES.has(name)) ||
    // A text there is what a browser calls a passkey that it has just made.
    rowIdSchema.safeParse(requestBody?.content["application/json"].schema.properties["id"]).success
  );
}

/** Every documented route; one without declared access does not pass the schema. */
async function listRoutes(testApp: TestApp): Promise<Route[]> {
  const { paths } = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = METHODS.find((known) => known.toLowerCase() === name);
      assert.ok(method, `${name} ${path} is a method that no test tries`);
      return {
        method,
        path: path.replace(/\{\w+\}/g, "999999999"),
        access: operation["x-access"],
        scope: operation["x-scope"],
        name: `${method} ${path}`,
        namesRow: namesRow(path, operation),
      };
    }),
  );
}

const HOST_VARIANTS: readonly string[] = [
  "", "localhost", "127.0.0.1", "[::1]", "localhost:3000", "admin", "root@localhost", "localhost/api/status", "/api/status", "/api/status?",
  "localhost#", "localhost?x=1", "localhost\\@evil", "evil.example", "evil.example:80", "0", "0.0.0.0", "a".repeat(300), "%2e%2e", "..",
  "../api/status", "localhost:99999", "localhost:-1", ":3000", "[", "http://localhost", "//localhost", "localhost;", "localhost,evil", "ſ",
]; // prettier-ignore

const RULE = { metric: "requests", direction: "above", threshold: 5, window_minutes: 60, receiver: 0 } as const;

/** What a row is named by. */
type Row = number | string;

describe("access to every call of the control API", () => {
  let testApp: TestApp;
  let routes: Route[];
  before(async () => {
    testApp = await createTestApp();
    routes = await listRoutes(testApp);
  });
  after(() => testApp.close());

  /** A client of its own for every call: some calls end the session that makes them. */
  async function clientFor(role: TestRole, via: "session" | "access-token"): Promise<TestClient> {
    const { client } = await testApp.logInAs(role);
    if (via === "session") return client;
    return createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
  }

  function expectAccess(route: Route, caller: (typeof CALLERS)[number], status: number): void {
    const role = caller === "anonymous" ? undefined : ROLE[caller];
    const text = `${route.method} ${route.path} (${route.access}) by ${caller}`;
    if (mayAccess(route.access, role)) assert.ok(status !== 401 && status !== 403, `${text} is let in, not ${status}`);
    else assert.equal(status, role === undefined ? 401 : 403, text);
  }

  test("is there to test", () => {
    for (const known of ["/api/status", "/api/user/self", "/api/option/"])
      assert.ok(
        routes.some(({ path }) => path === known),
        known,
      );
  });

  for (const caller of CALLERS) {
    for (const via of caller === "anonymous" ? (["session"] as const) : (["session", "access-token"] as const)) {
      test(`[ROLE-01] [ROLE-16] of ${caller} by ${via} is as declared`, async () => {
        for (const route of routes) {
          const client = caller === "anonymous" ? testApp.client() : await clientFor(caller, via);
          const { status } = await client.send(route, route.method === "GET" ? {} : { body: {} });
          expectAccess(route, caller, status);
        }
      });
    }
  }

  for (const role of ["admin", "root"] as const) {
    test(`of a management key of ${role} is that of its owner, in its scopes only`, async () => {
      const { user } = await testApp.logInAs(role);
      for (const route of routes) {
        const input = route.method === "GET" ? {} : { body: {} };
        const others = KEY_SCOPES.filter((scope) => route.scope === undefined || !hasScope([scope], route.scope));
        const without = await (await clientWithKey(testApp, user.id, others)).send(route, input);
        const codes = ["management-key-scope", "management-key-call"];
        if (route.access === "anyone") assert.ok(without.status !== 401 && without.status !== 403, route.name);
        else {
          assert.equal(without.status, 403, `${route.name} without its scope`);
          assert.ok(codes.includes(without.envelope?.code ?? ""), `${route.name}: ${without.text}`);
        }
        if (route.scope === undefined) continue;
        const { status } = await (await clientWithKey(testApp, user.id, [route.scope])).send(route, input);
        expectAccess(route, role, status);
      }
    });
  }

  test("of a management key whose owner is a regular user now is none", async () => {
    const { user } = await testApp.logInAs("user");
    const client = await clientWithKey(testApp, user.id, KEY_SCOPES);
    for (const route of routes) {
      const { status, envelope } = await client.send(route, route.method === "GET" ? {} : { body: {} });
      assert.deepEqual([status, envelope?.code], [401, "management-key-invalid"], route.name);
    }
  });

  /** Of every call of regular users that names a row: makes one of that user's, and says what asks for a row. */
  const ROWS: Readonly<Record<string, { make: (owner: TestLogin) => Promise<Row>; ask: (row: Row) => TestInput }>> = {
    "GET /api/token/{id}": { make: ownToken, ask: (id) => ({ params: { id } }) },
    "PUT /api/token/": { make: ownToken, ask: (id) => ({ body: { id, name: "mine" } }) },
    "DELETE /api/token/{id}/": { make: ownToken, ask: (id) => ({ params: { id } }) },
    "POST /api/token/{id}/key": { make: ownToken, ask: (id) => ({ params: { id }, body: {} }) },
    "DELETE /api/token/{id}/old-key": { make: ownToken, ask: (id) => ({ params: { id } }) },
    "POST /api/token/alert": { make: ownToken, ask: (id) => ({ query: { alertType: "balance", id } }) },
    "GET /api/playground/models": { make: ownToken, ask: (token) => ({ query: { token } }) },
    "GET /api/log/self/{id}": { make: async (owner) => (await ownLog(owner)).id, ask: (id) => ({ params: { id } }) },
    "GET /api/log/self/{id}/bodies": { make: ownBodies, ask: (id) => ({ params: { id } }) },
    "GET /api/log/self/request/{request_id}": {
      make: async (owner) => (await ownLog(owner)).request_id,
      ask: (request_id) => ({ params: { request_id } }),
    },
    "DELETE /api/view/{id}/": { make: ownView, ask: (id) => ({ params: { id } }) },
    "PUT /api/view/default": { make: ownView, ask: (id) => ({ body: { page: "logs", id } }) },
    "PUT /api/alert-rule/": { make: ownRule, ask: (id) => ({ body: { ...RULE, id } }) },
    "DELETE /api/alert-rule/{id}": { make: ownRule, ask: (id) => ({ params: { id } }) },
    "DELETE /api/user/sessions/{id}": { make: ownSession, ask: (id) => ({ params: { id } }) },
    "PUT /api/user/factors/passkeys/{id}": {
      make: ownPasskey,
      ask: (id) => ({ params: { id }, body: { name: "mine" } }),
    },
    "POST /api/user/factors/passkeys/{id}/remove": {
      make: ownPasskey,
      ask: (id) => ({ params: { id }, body: { proof: { password: DEFAULT_ROOT_PASSWORD } } }),
    },
  };

  async function ownToken({ client }: TestLogin): Promise<number> {
    return (await client.data(createToken, { body: { name: "one" } })).id;
  }

  async function ownLog({ user }: TestLogin) {
    const row = sampleLog({ user_id: user.id, request_id: `request-of-${user.id}` });
    const { db } = testApp.database;
    return db.insertInto("logs").values(row).returning(["id", "request_id"]).executeTakeFirstOrThrow();
  }

  async function ownBodies(owner: TestLogin): Promise<number> {
    const { id, request_id } = await ownLog(owner);
    const texts = { request: "", answer: "", request_bytes: 0, answer_bytes: 0, size: 0 };
    const row = { ...texts, request_id, token_id: await ownToken(owner), user_id: owner.user.id, created_at: 1 };
    const { db } = testApp.database;
    await db
      .insertInto("stored_bodies")
      .values({ ...row, request_is_truncated: 0, answer_is_truncated: 0 })
      .execute();
    return id;
  }

  async function ownView({ client }: TestLogin): Promise<number> {
    return (await client.data(saveView, { body: { page: "logs", name: "mine", search: {} } })).id;
  }

  async function ownRule({ user, client }: TestLogin): Promise<number> {
    await testApp.database.db.updateTable("users").set({ email: "me@example.com" }).where("id", "=", user.id).execute();
    return (await client.data(createAlertRule, { body: RULE })).id;
  }

  async function ownSession({ user, client }: TestLogin): Promise<string> {
    await testApp.clientOf(user.id);
    return (await client.data(listSessions)).find(({ is_current }) => !is_current)?.id ?? "";
  }

  async function ownPasskey({ user }: TestLogin): Promise<number> {
    const passkey = { credential_id: randomUUID(), public_key: "", counter: 0, name: "", created_at: 1 };
    const { db } = testApp.database;
    const row = { ...passkey, user_id: user.id };
    return (await db.insertInto("passkeys").values(row).returning("id").executeTakeFirstOrThrow()).id;
  }

  test("[V11] somebody else's row is to everybody what is not there, whatever the role", async () => {
    const named = routes.filter((route) => route.access === "user" && route.namesRow);
    assert.deepEqual(named.map(({ name }) => name).toSorted(), Object.keys(ROWS).toSorted(), "each has an example");
    for (const [name, { make, ask }] of Object.entries(ROWS)) {
      const [method = "", path = ""] = name.split(" ");
      const call = {
        method: METHODS.find((known) => known === method) ?? "GET",
        path: path.replace(/\{(\w+)\}/g, ":$1"),
      };
      const answer = async (client: TestClient, row: Row) => {
        const { status, envelope } = await client.send(call, ask(row));
        return { status, code: envelope?.code, data: envelope?.data };
      };
      const owner = await testApp.logInAs("user");
      const row = await make(owner);
      const { client: stranger } = await testApp.logInAs("user");
      const missing = await answer(stranger, typeof row === "number" ? 999_999_999 : "0".repeat(32));
      for (const role of ["user", "admin", "root"] as const)
        assert.deepEqual(await answer((await testApp.logInAs(role)).client, row), missing, `${name} by ${role}`);
      assert.notDeepEqual(await answer(owner.client, row), missing, `${name} by its owner`);
    }
  });

  test("does not change with a trailing slash or the spelling of the host", async () => {
    for (const route of routes.filter(({ access }) => access !== "anyone")) {
      const other = route.path.endsWith("/") ? route.path.slice(0, -1) : `${route.path}/`;
      assert.equal((await testApp.client().send({ method: route.method, path: other })).status, 401, other);
      for (const host of HOST_VARIANTS) {
        const { status } = await testApp.client().send(route, { headers: { host } });
        assert.ok([400, 401, 403].includes(status), `${route.path} with Host ${host}: ${status}`);
      }
    }
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Method } from "@one-api/contract/call";
import { mayAccess, ROLE } from "@one-api/contract/roles";
import { createAccessToken } from "@one-api/contract/user";
import { z } from "zod";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";
import { createTestClient, type TestClient } from "../testing/test-client.ts";
import type { TestRole } from "../testing/create-test-user.ts";

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];
const CALLERS = ["anonymous", "user", "admin", "root"] as const;

const accessSchema = z.enum(["anyone", "user", "admin", "root"]);
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ "x-access": accessSchema }))),
});

interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: z.output<typeof accessSchema>;
}

/** Every documented route; one without declared access does not pass the schema. */
async function listRoutes(testApp: TestApp): Promise<Route[]> {
  const { paths } = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = METHODS.find((known) => known.toLowerCase() === name);
      assert.ok(method, `${name} ${path} is a method that no test tries`);
      return { method, path: path.replace(/\{\w+\}/g, "999999999"), access: operation["x-access"] };
    }),
  );
}

const HOST_VARIANTS: readonly string[] = [
  "", "localhost", "127.0.0.1", "[::1]", "localhost:3000", "admin", "root@localhost", "localhost/api/status", "/api/status", "/api/status?",
  "localhost#", "localhost?x=1", "localhost\\@evil", "evil.example", "evil.example:80", "0", "0.0.0.0", "a".repeat(300), "%2e%2e", "..",
  "../api/status", "localhost:99999", "localhost:-1", ":3000", "[", "http://localhost", "//localhost", "localhost;", "localhost,evil", "ſ",
]; // prettier-ignore

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

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { defineCall } from "@one-api/contract/call";
import { errorCodeSchema, HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { buildApp } from "../app.ts";
import { AppError } from "../core/app-error.ts";
import { createClientAddress } from "../platform/requests/client-address.ts";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";
import { createTestClient } from "../testing/test-client.ts";

const echo = defineCall({
  method: "POST",
  path: "/api/status/echo/:id",
  access: "anyone",
  summary: "Answers its input",
  repeatedAtTopLevel: ["time"],
  params: z.object({ id: z.coerce.number().int() }),
  query: z.object({ word: z.string().default("none") }),
  body: z.object({ text: z.string() }),
  data: z.object({ id: z.int(), word: z.string(), text: z.string(), time: z.number() }),
});
const fail = defineCall({
  method: "GET",
  path: "/api/status/fail",
  access: "anyone",
  summary: "Fails",
  query: z.object({ how: z.string() }),
  data: z.null(),
});
const rows = defineCall({
  method: "GET",
  path: "/api/status/rows/",
  access: "anyone",
  summary: "Lists",
  data: z.array(z.int()),
});
const address = defineCall({
  method: "GET",
  path: "/api/status/address",
  access: "anyone",
  summary: "Who calls",
  data: z.string(),
});

const SECRET = "postgres://one:hunter2@db/one";

function failureOf(how: string): Error {
  const code = errorCodeSchema.safeParse(how);
  if (code.success) return new AppError(code.data, "Refused.", { field: "how", retryAfterSeconds: 7 });
  return how === "database" ? new DatabaseUnavailableError(SECRET) : new Error(SECRET);
}

describe("the control API's answers", () => {
  let testApp: TestApp;
  const apps: FastifyInstance[] = [];
  async function build(trustedProxies: readonly string[] = []): Promise<FastifyInstance> {
    const app = buildApp({
      ...testApp.deps,
      trustedProxies,
      clientAddress: createClientAddress(trustedProxies),
      registerCalls: (registry) => {
        registry.register(echo, async ({ params, query, body }) => ({
          ...params,
          ...query,
          ...body,
          time: 0.25,
          secret: "kept",
        }));
        registry.register(fail, async ({ query }) => Promise.reject(failureOf(query.how)));
        registry.register(rows, async ({ setTotal }) => {
          setTotal(42);
          return [1, 2];
        });
        registry.register(address, async ({ context }) => context.address);
      },
    });
    apps.push(app);
    await app.ready();
    return app;
  }
  let app: FastifyInstance;
  before(async () => {
    testApp = await createTestApp();
    app = await build();
  });
  after(async () => {
    for (const built of apps) await built.close();
    await testApp.close();
  });

  test("[CALL-01] are envelopes with what the schema names, repeated at the top where older clients look", async () => {
    const answer = await createTestClient(app).send(echo, {
      params: { id: 5 },
      query: { word: "w" },
      body: { text: "t" },
    });
    assert.deepEqual(JSON.parse(answer.text), {
      success: true,
      message: "",
      data: { id: 5, word: "w", text: "t", time: 0.25 },
      time: 0.25,
    });
  });

  test("carry the total of a list and the same request id under both names", async () => {
    const { headers } = await createTestClient(app).send(rows);
    assert.equal(headers["x-total-count"], "42");
    assert.match(String(headers["x-request-id"]), /^[0-9a-f]{26}$/);
    assert.equal(headers["x-oneapi-request-id"], headers["x-request-id"]);
  });

  test("leave in less room for who can unpack them, from a packet's length on; what is sent packed is not unpacked here", async () => {
    const ask = (coding: string) => app.inject({ url: "/api/openapi.json", headers: { "accept-encoding": coding } });
    const plain = await ask("identity");
    for (const [coding, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const packed = await ask(coding);
      assert.equal(packed.headers["content-encoding"], coding);
      assert.match(String(packed.headers["vary"]), /accept-encoding/i);
      assert.equal(unpack(packed.rawPayload).toString(), plain.body);
      assert.ok(packed.rawPayload.length * 2 < plain.rawPayload.length);
    }
    const short = await app.inject({ url: "/api/status/rows", headers: { "accept-encoding": "br" } });
    assert.deepEqual(
      [short.headers["content-encoding"], short.json<unknown>()],
      [undefined, { success: true, message: "", data: [1, 2] }],
    );
    const bomb = await app.inject({
      method: "POST",
      url: "/api/status/echo/5",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      payload: gzipSync(JSON.stringify({ text: "t" })),
    });
    assert.equal(bomb.statusCode, 400);
  });

  test("come with and without a trailing slash", async () => {
    for (const url of ["/api/status/rows", "/api/status/rows/"]) assert.equal((await app.inject(url)).statusCode, 200);
  });

  for (const code of errorCodeSchema.options) {
    test(`say ${code} with its status, code and field`, async () => {
      const answer = await createTestClient(app).send(fail, { query: { how: code } });
      assert.equal(answer.status, HTTP_STATUS_OF_ERROR[code]);
      assert.deepEqual(answer.envelope, { success: false, message: "Refused.", data: null, code, field: "how" });
      assert.equal(answer.headers["retry-after"], "7");
    });
  }

  for (const [lines, code, status] of [
    ["[CALL-02] what the business refuses", "redemption-code-used", 200],
    ["[CALL-02] what is not there", "token-not-found", 200],
    ["[CALL-03] nobody logged in", "not-logged-in", 401],
    ["[CALL-04] no right", "not-allowed", 403],
    ["[CALL-05] malformed input", "invalid-input", 400],
    ["[CALL-06] too many", "too-many-requests", 429],
  ] as const) {
    test(`say ${lines} by the status ${status}`, async () => {
      const answer = await createTestClient(app).send(fail, { query: { how: code } });
      assert.deepEqual([answer.status, answer.envelope?.success], [status, false]);
      assert.deepEqual([answer.envelope?.message, answer.headers["retry-after"]], ["Refused.", "7"]);
    });
  }

  for (const [how, status, code] of [
    ["anything", 500, "internal"],
    ["database", 503, "unavailable"],
  ] as const) {
    test(`[CALL-07] tell nothing of the inside when it fails (${code}); the log has it under the request id`, async () => {
      const answer = await createTestClient(app).send(fail, { query: { how } });
      assert.equal(answer.status, status);
      assert.equal(answer.envelope?.code, code);
      assert.equal(answer.headers["retry-after"], how === "database" ? "5" : undefined);
      assert.doesNotMatch(answer.text, /hunter2|stack|\.ts/);
      const line = testApp.logLines.find((entry) => entry.includes(String(answer.headers["x-request-id"])));
      assert.match(line ?? "", /"level":50.*hunter2/);
    });
  }

  for (const type of [
    undefined,
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/json; charset=utf-8",
  ]) {
    test(`are the same for JSON that is called ${type ?? "nothing"}, as curl and older scripts do`, async () => {
      const headers = type === undefined ? {} : { "content-type": type };
      const response = await app.inject({
        method: "POST",
        url: "/api/status/echo/1",
        payload: '{"text":"t"}',
        headers,
      });
      assert.equal(response.statusCode, 200, response.payload);
      const twice = await app.inject({
        method: "POST",
        url: "/api/status/echo/1",
        payload: '{"text":"t","text":"u"}',
        headers,
      });
      assert.match(twice.payload, /body-repeated-name/);
    });
  }

  const malformed: readonly [name: string, payload: string, type: string, status: number, code: string][] = [
    ["text that is no JSON", "{", "application/json", 400, "body-not-json"],
    ["an empty body", "", "application/json", 400, "invalid-input"],
    ["a body of another shape", '{"text":5}', "application/json", 400, "invalid-input"],
    ["a polluting field", '{"text":"t","__proto__":{"admin":true}}', "application/json", 400, "body-not-json"],
    [
      "a polluting field in disguise",
      '{"text":"t","\\u005f_proto__":{"admin":true}}',
      "application/json",
      400,
      "body-not-json",
    ],
    [
      "a polluting constructor",
      '{"text":"t","constructor":{"prototype":{"admin":true}}}',
      "application/json",
      400,
      "body-not-json",
    ],
    ["a form", "text=t", "application/x-www-form-urlencoded", 400, "body-not-json"],
    ["a media type that is none", '{"text":"t"}', "json", 415, "body-media-type"],
    ["a body beyond 1 MiB", `{"text":"${"x".repeat(1024 * 1024)}"}`, "application/json", 413, "body-too-big"],
  ];
  for (const [name, payload, type, status, code] of malformed) {
    test(`refuse ${name} as an envelope`, async () => {
      const response = await app.inject({
        method: "POST",
        url: "/api/status/echo/1",
        payload,
        headers: { "content-type": type },
      });
      assert.equal(response.statusCode, status, response.payload);
      const envelope: unknown = response.json();
      assert.ok(typeof envelope === "object" && envelope !== null && "code" in envelope && envelope.code === code);
    });
  }

  test("name the wrong parameter", async () => {
    const answer = await createTestClient(app).send(echo, { params: { id: "5x" }, body: { text: "t" } });
    assert.deepEqual(answer.envelope, {
      success: false,
      message: "id must be a number.",
      data: null,
      code: "invalid-input",
      field: "id",
      values: { problem: "wrong-type", expected: "number" },
    });
  });

  test("are 404 where a word stands for an id, as in One API's /api/log/search, and name the call", async () => {
    const answer = await createTestClient(app).send(echo, { params: { id: "search" }, body: { text: "t" } });
    assert.deepEqual([answer.status, answer.envelope?.code], [404, "not-found"]);
    assert.equal(answer.envelope?.message, "There is no call POST /api/status/echo/search.");
  });

  test("are 404 for what is no call, other methods too, without repeating the query", async () => {
    for (const [method, url] of [
      ["GET", "/api/none?key=sk-secret"],
      ["DELETE", "/api/status/rows"],
      ["HEAD", "/api/none"],
      ["OPTIONS", "/api/status/rows"],
      ["GET", "/api"],
    ] as const) {
      const response = await app.inject({ method, url });
      assert.equal(response.statusCode, 404, `${method} ${url}`);
      assert.doesNotMatch(response.payload, /sk-secret/);
      assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
    }
  });

  test("are for no cache and no frame, whatever they say", async () => {
    for (const url of ["/api/status/rows", "/api/status/fail?how=internal", "/api/none", "/api/openapi.json"]) {
      const { headers } = await app.inject(url);
      assert.equal(headers["cache-control"], "no-store", url);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
      assert.equal(headers["referrer-policy"], "no-referrer");
      assert.equal(headers["etag"], undefined);
      assert.equal(headers["strict-transport-security"], undefined, "not over http");
    }
  });

  const FORWARDED = [
    "1.2.3.4",
    "127.0.0.1",
    "::1",
    "unknown",
    "1.2.3.4, 127.0.0.1",
    "10.0.0.1:80",
    "[::1]:80",
    "",
    "'",
    "a,b,c",
  ];
  const FORWARDING_HEADERS = [
    "x-forwarded-for",
    "x-real-ip",
    "forwarded",
    "x-client-ip",
    "cf-connecting-ip",
    "true-client-ip",
  ];

  test("[V26] take no address from a header while no proxy is trusted", async () => {
    for (const name of FORWARDING_HEADERS) {
      for (const value of FORWARDED) {
        const headers = { [name]: value, "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };
        const response = await app.inject({ url: "/api/status/address", headers, remoteAddress: "203.0.113.9" });
        assert.deepEqual(response.json(), { success: true, message: "", data: "203.0.113.9" });
        assert.equal(response.headers["strict-transport-security"], undefined);
      }
    }
  });

  test("[V26] take the nearest untrusted hop from a trusted proxy only, in plain form", async () => {
    const behind = await build(["10.0.0.0/8", "fd00::/8"]);
    const ask = async (remoteAddress: string, forwarded: string) => {
      const response = await behind.inject({
        url: "/api/status/address",
        remoteAddress,
        headers: { "x-forwarded-for": forwarded },
      });
      return z.object({ data: z.string() }).parse(response.json()).data;
    };
    assert.equal(await ask("10.0.0.1", "6.6.6.6, 198.51.100.7"), "198.51.100.7");
    assert.equal(await ask("10.0.0.1", "6.6.6.6, 198.51.100.7, 10.9.9.9"), "198.51.100.7");
    assert.equal(await ask("fd00::5", "2001:db8::1"), "2001:db8::1");
    assert.equal(await ask("10.0.0.1", "::ffff:198.51.100.7"), "198.51.100.7");
    assert.equal(await ask("203.0.113.9", "198.51.100.7"), "203.0.113.9");
    assert.equal(await ask("10.0.0.1", "198.51.100.7:41234"), "198.51.100.7", "some write the port");
    assert.equal(await ask("10.0.0.1", "198.51.100.7, [fd00::7]:443, 10.0.0.2:80"), "198.51.100.7");
    assert.equal(await ask("10.0.0.1", "[2001:db8::1]"), "2001:db8::1");
    for (const nobody of ["unknown", "<script>", "198.51.100.7, unknown", "", "_hidden", "1.2.3.4:x", "1.2.3.4.5:80"])
      assert.equal(await ask("10.0.0.1", nobody), "10.0.0.1", nobody);
  });

  test("go to no request that names two hosts, or two callers", async () => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    const bound = app.server.address();
    assert.ok(bound !== null && typeof bound === "object");
    for (const [headers, message] of [
      ["Host: a.example\r\nHost: b.example", /The request names more than one host\./],
      ["Host: a.example\r\nAuthorization: Bearer a\r\nauthorization: Bearer b", /more than one Authorization header/],
    ] as const) {
      const socket = connect(bound.port, "127.0.0.1");
      socket.write(`GET /api/status/rows HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      const answer = await text(socket);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, message);
    }
  });

  test("are 404 for what is no call before its body is there", async () => {
    const own = await build();
    await own.listen({ host: "127.0.0.1", port: 0 });
    const bound = own.server.address();
    assert.ok(bound !== null && typeof bound === "object");
    for (const path of ["/api/no-such-call", "/api/status/rows"]) {
      const socket = connect(bound.port, "127.0.0.1");
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      const first: unknown[] = await once(socket, "data", { signal: AbortSignal.timeout(30_000) });
      assert.match(String(first[0]), /^HTTP\/1\.1 404 .*There is no call POST/s);
      socket.destroy();
    }
  });

  test("go to no body that names a field twice: readers disagree on which one counts", async () => {
    for (const payload of [
      '{"text":"a","text":"b"}',
      '{"text":"a","t\\u0065xt":"b"}',
      '{"text":"a","x":[{"y":1,"y":2}]}',
    ]) {
      const answer = await app.inject({
        method: "POST",
        url: "/api/status/echo/1",
        headers: { "content-type": "application/json" },
        payload,
      });
      const { code, field } = answer.json<{ code: string; field: string }>();
      assert.deepEqual(
        [answer.statusCode, code, field],
        [400, "body-repeated-name", payload.includes("y") ? "y" : "text"],
      );
    }
  });
});

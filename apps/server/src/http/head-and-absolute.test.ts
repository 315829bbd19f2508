import assert from "node:assert/strict";
import { type IncomingMessage, request as send } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { exportLogs } from "@one-api/contract/logs/log";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../testing/start-relay-test.ts";
import { SESSION_COOKIE } from "./credentials.ts";

let gateway: RelayTest;
let key = "";
let cookie = "";
let askedUpstream: () => number;
before(async () => {
  gateway = await startRelayTest();
  const upstream = await gateway.upstream();
  askedUpstream = () => upstream.requests.length;
  await gateway.addChannel(upstream);
  key = await gateway.addToken();
  cookie = `${SESSION_COOKIE}=${gateway.root.sessionId()}`;
});
after(() => gateway.close());

const bearer = () => ({ authorization: `Bearer ${key}` });

/** Sends a request whose target stands in its first line as it is. */
async function ask(method: string, target: string, headers: Record<string, string> = bearer(), body = "") {
  const { port } = new URL(gateway.url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    send({ host: "127.0.0.1", port, method, path: target, headers }, resolve).on("error", reject).end(body);
  });
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

const RELAY = [
  "/v1/models",
  "/v1/models/gpt-4o-mini",
  "/v1/models/none",
  "/v1beta/models",
  "/dashboard/billing/subscription",
  "/v1/files",
  "/v1/files/file-none",
  "/v1/responses/resp_none",
  "/v1/batches",
  "/v1/realtime",
  "/v1/nothing",
  CHAT,
];
const CONTROL = [
  "/api/status",
  "/api/user/self",
  "/api/log/?p=0",
  "/api/channel/",
  "/api/none",
  "/api/openapi.json",
  "/healthz",
  "/",
  "/channel",
];

describe("HEAD", () => {
  it("is answered like GET, without a body", async () => {
    for (const path of [...RELAY, ...CONTROL]) {
      const headers = path.startsWith("/api") ? { cookie } : bearer();
      const [got, head] = [await ask("GET", path, headers), await ask("HEAD", path, headers)];
      assert.deepEqual([head.status, head.text], [got.status, ""], path);
      assert.equal(head.headers["content-type"], got.headers["content-type"], path);
    }
    const { status } = await ask("HEAD", "/api/user/self", { accept: "*/*" });
    assert.equal(status, 401, "who may not read is refused");
  });

  it("changes nothing where GET does, and reads no file", async () => {
    const askedBefore = askedUpstream();
    const test = await ask("HEAD", "/api/channel/test/1", { cookie });
    assert.deepEqual([test.status, askedUpstream()], [200, askedBefore]);
    const file = await ask("HEAD", exportLogs.path, { cookie });
    assert.deepEqual([file.status, file.text], [200, ""]);
    assert.match(String(file.headers["content-disposition"]), /attachment/);
  });
});

describe("a target that names the whole address", () => {
  it("is answered like its path", async () => {
    for (const path of [...RELAY, ...CONTROL]) {
      const headers = path.startsWith("/api") ? { cookie } : bearer();
      const [plain, absolute] = [await ask("GET", path, headers), await ask("GET", gateway.url + path, headers)];
      assert.equal(absolute.status, plain.status, path);
      assert.equal(absolute.headers["content-type"], plain.headers["content-type"], path);
    }
    const [root, query] = [await ask("GET", gateway.url), await ask("GET", `${gateway.url}?a=b`)];
    assert.deepEqual([root.status, query.status], [(await ask("GET", "/")).status, (await ask("GET", "/?a=b")).status]);
  });

  it("is called and charged like its path, on a connection that plain calls share", async () => {
    const json = { ...bearer(), "content-type": "application/json" };
    for (const target of [CHAT, gateway.url + CHAT, gateway.url.replace("http", "HTTP") + CHAT]) {
      const body = JSON.stringify(chatBody("hi"));
      const { status, text: said } = await ask(
        "POST",
        target,
        { ...json, "content-length": String(body.length) },
        body,
      );
      assert.equal(status, 200, said);
      assert.ok((await gateway.lastLog()).quota > 0);
    }
  });
});

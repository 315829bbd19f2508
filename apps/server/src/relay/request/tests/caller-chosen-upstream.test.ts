import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { portOf } from "@one-api/http1/testing/port-of";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

/** Fields by which other gateways let a caller choose the provider's address. */
const FIELDS = ["api_base", "base_url", "baseURL", "api_url", "endpoint", "custom_llm_provider", "host", "proxy"];
const HEADERS = [
  "x-portkey-custom-host",
  "x-api-base",
  "x-base-url",
  "x-upstream-url",
  "x-forwarded-host",
  "x-original-url",
  "helicone-target-url",
];

describe("[V1] a caller that names another address for the provider", () => {
  let gateway: RelayTest;
  let upstream: StubServer;
  let key: string;
  let canary: Server;
  let canaryUrl: string;
  let connections = 0;

  before(async () => {
    gateway = await startRelayTest();
    upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { key: "sk-key-of-the-channel" });
    key = await gateway.addToken();
    canary = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
    canary.on("connection", () => (connections += 1));
    await once(canary, "listening");
    canaryUrl = `http://127.0.0.1:${portOf(canary)}`;
  });
  after(async () => {
    canary.close();
    await gateway.close();
  });

  /** Nothing connected to the canary, which counts a connection of the test. */
  async function assertUntouched(): Promise<void> {
    assert.equal(connections, 0);
    await (await fetch(canaryUrl, { headers: { connection: "close" } })).text();
    assert.equal(connections, 1);
    connections = 0;
  }

  for (const stream of [false, true])
    it(`in the body or in headers asks the channel's, for a ${stream ? "stream" : "whole answer"}`, async () => {
      const asked = upstream.requests.length;
      const answers = [
        ...FIELDS.map((field) => gateway.post(CHAT, key, chatBody("hello", { stream, [field]: canaryUrl }))),
        ...HEADERS.map((name) => gateway.post(CHAT, key, chatBody("hello", { stream }), { [name]: canaryUrl })),
      ];
      let served = 0;
      for (const answer of await Promise.all(answers)) {
        await answer.text();
        if (answer.status === 200) served += 1;
        else assert.equal(answer.status, 400);
      }
      assert.ok(served >= HEADERS.length, `${served} were served`);
      assert.equal(upstream.requests.length - asked, served);
      await assertUntouched();
    });

  for (const [name, target, host] of [
    ["in the first line", (url: string) => url + CHAT, "gateway"],
    ["as its host", () => CHAT, undefined],
  ] as const)
    it(`${name} asks no other than the channel's`, async () => {
      const body = JSON.stringify(chatBody("hello"));
      const head = [
        `POST ${target(canaryUrl)} HTTP/1.1`,
        `host: ${host ?? new URL(canaryUrl).host}`,
        "content-type: application/json",
        `authorization: Bearer ${key}`,
        `content-length: ${body.length}`,
        "connection: close",
      ];
      const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
      assert.match(await text(socket), /^HTTP\/1\.1 (?:200|400|403|404|421) /);
      await assertUntouched();
    });
});

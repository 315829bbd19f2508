import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLog } from "../../platform/logging/create-log.ts";
import { CHAT, chatBody, TEST_MODEL } from "../../testing/start-relay-test.ts";
import { withGateway } from "../../testing/with-gateway.ts";
import type { EndedRequest } from "./ended-request.ts";
import { createRequestLog, REQUEST_LOG_FIELDS } from "./request-log.ts";
import { z } from "zod";

const lineSchema = z.looseObject({ msg: z.string() });

const ENDED: EndedRequest = {
  arrival: { requestId: "r1", headers: {}, dialect: { name: "openai" } },
  caller: { userId: 1, tokenId: 2 },
  parsed: { endpoint: "chat-completions", model: "m", stream: false },
  route: { id: 3, upstreamModel: "m" },
  attempts: [],
  trace: undefined,
  result: "ok",
  end: "complete",
  limited: "",
  statusCode: 200,
  startedMs: 0,
  elapsedMs: 12.4,
  firstByteMs: 10,
  gatewayMs: 1.2345,
  usage: undefined,
  charge: 7,
};

describe("the request log", () => {
  test("samples answered requests and has all others", () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(line) });
    const numbers = [0.05, 0.1, 0.9];
    const observe = createRequestLog(
      log,
      { level: "info", sample: 0.1, fields: ["requestId"] },
      () => numbers.shift() ?? 1,
    );
    for (let time = 0; time < 3; time += 1) observe(ENDED);
    observe({ ...ENDED, result: "timeout", arrival: { ...ENDED.arrival, requestId: "r2" } });
    const ids = lines.map((line) => lineSchema.parse(JSON.parse(line))["requestId"]);
    assert.deepEqual(ids, ["r1", "r2"]);
  });

  test("has the chosen fields alone, and no id of a caller that is no plain word", () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(line) });
    const observe = createRequestLog(log, { level: "info", sample: 1, fields: ["callerRequestId", "ms", "gatewayMs"] });
    for (const id of ["abc-1", 'a\nb"', "x".repeat(300)])
      observe({ ...ENDED, arrival: { ...ENDED.arrival, headers: { "x-request-id": id } } });
    const { level: _level, time: _time, ...first } = lineSchema.parse(JSON.parse(lines[0] ?? ""));
    assert.deepEqual(first, { callerRequestId: "abc-1", ms: 12, gatewayMs: 1.23, msg: "request" });
    for (const line of lines.slice(1)) assert.doesNotMatch(line, /callerRequestId/);
  });
});

describe("a gateway with LOG_LEVEL=info", () => {
  const stage = withGateway([{}], { environment: { LOG_LEVEL: "info" } });
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const linesOf = async (requestId: string) => {
    await stage.gateway.testApp.deps.relay.inFlight.idle();
    return stage.gateway.testApp.logLines
      .map((line) => lineSchema.parse(JSON.parse(line)))
      .filter((line) => line["requestId"] === requestId && line.msg === "request");
  };

  test("writes one line for each request, without bodies and keys", async () => {
    const secret = "a secret of the prompt";
    const answer = await stage.gateway.post(CHAT, stage.key, chatBody(secret), {
      "x-request-id": "caller-4711",
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    });
    await answer.text();
    assert.match(answer.headers.get("server-timing") ?? "", /^gateway;dur=\d+\.\d\d$/);
    const lines = await linesOf(answer.headers.get("x-request-id") ?? "");
    assert.equal(lines.length, 1);
    const [line = { msg: "" }] = lines;
    const { charged } = await stage.gateway.books();
    assert.deepEqual(
      [line["callerRequestId"], line["traceId"], line["endpoint"], line["dialect"], line["model"], line["channel"]],
      ["caller-4711", trace, "chat-completions", "openai", TEST_MODEL, 1],
    );
    assert.deepEqual([line["result"], line["status"], line["attempts"], line["charge"]], ["ok", 200, 1, charged]);
    assert.deepEqual(
      REQUEST_LOG_FIELDS.filter((field) => line[field] === undefined),
      [],
    );
    const all = stage.gateway.testApp.logLines.join("");
    assert.ok(!all.includes(secret) && !all.includes(stage.key.slice(3)));
  });

  test("names the failure, the refusal and the status", async () => {
    stage.upstream.setBehaviour({ kind: "refuse", status: 500 });
    const failed = await stage.gateway.post(CHAT, stage.key, chatBody("hello"));
    await failed.text();
    const [line] = await linesOf(failed.headers.get("x-request-id") ?? "");
    assert.deepEqual(
      [line?.["result"], line?.["end"], line?.["status"], line?.["charge"]],
      ["provider-failed", "server-error", 500, 0],
    );
    const refused = await stage.gateway.post(CHAT, "sk-unknown", chatBody("hello"));
    await refused.text();
    const lines = await linesOf(refused.headers.get("x-request-id") ?? "");
    assert.deepEqual(
      lines.map((each) => [each["result"], each["end"], each["status"], each["userId"]]),
      [["refused", "invalid_api_key", 401, undefined]],
    );
  });

  test("has free questions too", async () => {
    const answer = await fetch(`${stage.gateway.url}/v1/models`, { headers: { authorization: `Bearer ${stage.key}` } });
    await answer.text();
    const [line] = await linesOf(answer.headers.get("x-request-id") ?? "");
    assert.deepEqual([line?.["endpoint"], line?.["result"], line?.["charge"]], ["models", "ok", 0]);
  });
});

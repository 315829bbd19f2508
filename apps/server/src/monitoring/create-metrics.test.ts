import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHAT, chatBody, type RelayTest, startRelayTest, TEST_MODEL } from "../testing/start-relay-test.ts";

const MODELS = 12;
const modelNames = Array.from({ length: MODELS }, (_, index) => `model-${index}`);

describe("the metrics of a gateway", () => {
  let gateway: RelayTest;
  let key: string;
  before(async () => {
    gateway = await startRelayTest({ environment: { METRICS_LABEL_LIMIT: "10" } });
    await gateway.addChannel(await gateway.upstream(), { models: [TEST_MODEL, ...modelNames].join(",") });
    key = await gateway.addToken();
    await read();
  });
  after(() => gateway.close());

  const read = async () => (await fetch(`${gateway.url}/metrics`)).text();
  const ask = async (body: unknown, headers = {}) => (await gateway.post(CHAT, key, body, headers)).text();
  /** Value of a series; undefined where it is missing. */
  const valueOf = async (series: string) => {
    const line = (await read()).split("\n").find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
  const labels = `endpoint="chat-completions",dialect="openai",model="${TEST_MODEL}",channel="1"`;

  test("count requests, tokens, charges, attempts and durations", async () => {
    await ask(chatBody("hello"));
    await ask(chatBody("hello", { stream: true }));
    await gateway.testApp.deps.relay.inFlight.idle();
    assert.equal(await valueOf(`one_api_requests_total{${labels},result="ok"}`), 2);
    assert.equal(await valueOf('one_api_upstream_attempts_total{channel="1",outcome="answered"}'), 2);
    const log = await gateway.lastLog();
    const tokens = await valueOf(`one_api_tokens_total{${labels},kind="completion"}`);
    assert.equal(tokens, 2 * log.completion_tokens);
    const { charged } = await gateway.books();
    assert.equal(await valueOf(`one_api_quota_charged_total{${labels}}`), charged);
    const pair = `model="${TEST_MODEL}",channel="1"`;
    assert.equal(await valueOf(`one_api_first_token_seconds_count{${pair}}`), 1, "of the stream alone");
    assert.equal(await valueOf(`one_api_request_duration_seconds_bucket{le="+Inf",${pair}}`), 2);
    assert.equal(await valueOf('one_api_gateway_overhead_seconds_count{endpoint="chat-completions"}'), 2);
  });

  test("count refusals by code, and give the caller's own texts no label", async () => {
    await ask(chatBody("hello", { model: "a text of the caller" }));
    await (await gateway.post(CHAT, "sk-unknown", chatBody("hello"))).text();
    const text = await read();
    assert.doesNotMatch(text, /a text of the caller/);
    assert.match(
      text,
      /^one_api_requests_total\{endpoint="chat-completions",dialect="openai",model="other",channel="none",result="refused"\} 1$/m,
    );
    assert.match(
      text,
      /^one_api_requests_total\{endpoint="none",dialect="openai",model="none",channel="none",result="refused"\} 1$/m,
    );
    assert.equal(await valueOf('one_api_refusals_total{code="invalid_api_key",limit=""}'), 1);
  });

  test("count a limit per minute that was reached", async () => {
    const limited = await gateway.addToken({ rpm_limit: 1 });
    for (let time = 0; time < 3; time += 1) await (await gateway.post(CHAT, limited, chatBody("hello"))).text();
    assert.equal(await valueOf('one_api_refusals_total{code="rate_limit_exceeded",limit="requests"}'), 2);
  });

  test("count failed attempts and requests once", async () => {
    await gateway.addChannel({ url: "http://127.0.0.1:1" }, { models: "unreachable" });
    await ask(chatBody("hello", { model: "unreachable" }));
    await gateway.testApp.deps.relay.inFlight.idle();
    const failed = (await read())
      .split("\n")
      .filter((line) => line.includes('model="unreachable"') && line.startsWith("one_api_requests_total"));
    assert.equal(failed.length, 1);
    assert.match(failed[0] ?? "", /channel="2",result="connection"\} 1$/);
    assert.equal(await valueOf('one_api_upstream_attempts_total{channel="2",outcome="no-answer"}'), 1);
  });

  test("have a bounded number of labels", async () => {
    for (const model of modelNames) await ask(chatBody("hello", { model }));
    await gateway.testApp.deps.relay.inFlight.idle();
    const names = new Set(
      [...(await read()).matchAll(/^one_api_requests_total\{.*?model="(.*?)"/gm)].map(([, model]) => model),
    );
    assert.ok(names.size <= 12, [...names].join(" "));
    assert.ok(names.has("other"));
  });

  test("show the state of the server", async () => {
    for (const [series, value] of [
      ["one_api_requests_in_flight", 0],
      ["one_api_streams_open", 0],
      ["one_api_reservations", 0],
      ["one_api_ledger_live", 1],
      ["one_api_journal_waiting", 0],
      ["one_api_database_writable", 1],
      ["one_api_stopping", 0],
      ['one_api_channels{status="enabled"}', 2],
      ['one_api_channels{status="autoDisabled"}', 0],
      ['one_api_log_store_state{state="following"}', 1],
      ['one_api_memory_limit_bytes{budget="bodies"}', 256 * 1024 * 1024],
    ] as const)
      assert.equal(await valueOf(series), value, series);
    assert.ok(((await valueOf("one_api_journal_entries_total")) ?? 0) > 0);
    assert.ok(((await valueOf('one_api_shares_free_quota{kind="user"}')) ?? 0) > 0);
    const text = await read();
    assert.match(text, /^one_api_build_info\{version="[\d.]+",node="v24/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
    assert.match(text, /^process_resident_memory_bytes /m);
  });

  test("show a stream while it passes", async () => {
    const answer = await gateway.post(
      CHAT,
      key,
      chatBody('[[fake: {"kind":"stall","afterChunks":1}]]', { stream: true }),
    );
    const reader = answer.body?.getReader();
    await reader?.read();
    assert.equal(await valueOf("one_api_streams_open"), 1);
    await reader?.cancel();
  });
});

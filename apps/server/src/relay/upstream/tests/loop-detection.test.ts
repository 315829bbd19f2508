import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openSession } from "../../../testing/open-session.ts";
import { CHAT, chatBody } from "../../../testing/start-relay-test.ts";
import { withGateway } from "../../../testing/with-gateway.ts";
import { HOPS_HEADER } from "../hops.ts";

describe("requests that come through gateways", () => {
  const stage = withGateway([{ models: "gpt-4o-mini,gpt-realtime" }]);

  it("tell the next one how many these were", async () => {
    const { gateway, upstream, key } = stage;
    for (const [told, sent] of [
      [undefined, "1"],
      ["2", "3"],
      ["nonsense", "1"],
      ["-5", "1"],
    ] as const) {
      const headers: Record<string, string> = told === undefined ? {} : { [HOPS_HEADER]: told };
      const answer = await gateway.post(CHAT, key, chatBody("hello"), headers);
      assert.equal(answer.status, 200, await answer.text());
      assert.equal(upstream.requests.at(-1)?.headers[HOPS_HEADER], sent);
    }
  });

  it("are refused after three", async () => {
    const answer = await stage.gateway.post(CHAT, stage.key, chatBody("hello"), { [HOPS_HEADER]: "3" });
    assert.deepEqual([answer.status, /leads? back to the gateway/.test(await answer.text())], [508, true]);
    assert.equal(stage.upstream.requests.length, 0);
    const session = openSession(stage.gateway.url, stage.key, { headers: { [HOPS_HEADER]: "3" } });
    await assert.rejects(session, /508/);
  });

  it("end where a channel leads back to the gateway, and say so in the log", async () => {
    const { gateway } = stage;
    const key = await gateway.addToken({ unlimited_quota: true });
    await gateway.addChannel({ url: gateway.url }, { models: "loop", key });
    const answer = await gateway.post(CHAT, key, chatBody("hello", { model: "loop" }));
    assert.equal(answer.status, 502, await answer.text());
    const { logs, differences, open } = await gateway.books();
    assert.match(logs.map(({ detail }) => detail).join(), /come through 3 gateways/);
    assert.ok(logs.filter(({ model_name }) => model_name === "loop").length <= 5);
    assert.deepEqual([differences, open], [0, 0]);
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { CHAT, chatBody, startRelayTest } from "../../../testing/start-relay-test.ts";
import { RelayError } from "../../errors/index.ts";

it("a server that stops serves the calls of open connections until its time to drain is over", async (context) => {
  const started = await startRelayTest();
  context.after(() => started.close());
  await started.addChannel(await started.upstream());
  const key = await started.addToken();
  const { inFlight } = started.testApp.deps.relay;
  const ask = (path: string) => started.post(path, key, chatBody("Hello"));
  const answered = async () => {
    const answer = await ask(CHAT);
    assert.match(await answer.text(), /"usage"/);
    return [answer.status, answer.headers.get("connection")];
  };
  assert.deepEqual(await answered(), [200, "keep-alive"]);
  inFlight.announceStop();
  assert.deepEqual(await answered(), [200, "close"]);
  inFlight.drain();
  assert.deepEqual(await answered(), [200, "close"]);
  inFlight.endAll(new RelayError({ status: 503, code: "gateway_stopped", message: "Stopped." }));
  for (const path of [CHAT, "/v1/models"]) {
    const refused = await ask(path);
    assert.deepEqual([refused.status, refused.headers.get("connection")], [503, "close"], path);
    assert.equal(refused.headers.get("retry-after"), "2");
    await refused.text();
  }
});

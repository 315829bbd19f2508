import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { listChannels } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import { listLogs, LOG_TYPE } from "@one-api/contract/logs/log";
import { startTlsFront, type TlsFront } from "@one-api/http1/testing/start-tls-front";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const FAULTS = [
  {
    model: "of-an-expired-certificate",
    failure: "tls",
    message: /^The provider's TLS certificate has expired\. .+ \(CERT_HAS_EXPIRED\)\.$/,
  },
  {
    model: "of-another-host",
    failure: "tls",
    message: /^The provider's TLS certificate is for another host name\. .+ \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
  },
  {
    model: "of-an-unknown-authority",
    failure: "tls",
    message: /^The provider's TLS certificate is from an unknown authority\. .+ \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
  },
  {
    model: "without-tls",
    failure: "tls",
    message: /^The provider's address does not speak TLS\. .+ \(ERR_SSL_[A-Z_]+\)\.$/,
  },
  {
    model: "of-no-host",
    failure: "connection",
    message: /^(?:Host name not found|The host name could not be resolved)\. .+ \((?:ENOTFOUND|EAI_AGAIN)\)\.$/,
  },
] as const;

describe("a fault of a provider's certificate or host name", () => {
  const fronts: TlsFront[] = [];
  let upstream: StubServer;
  let gateway: RelayTest;
  let key: string;

  before(async () => {
    upstream = await startStubServer();
    const port = Number(new URL(upstream.url).port);
    const openFront = async (certificate: "good" | "expired" | "of-another-host") => {
      const front = await startTlsFront(port, certificate);
      fronts.push(front);
      // Nobody signed it, so that this one remains of an unknown authority.
      if (certificate !== "good") front.trust();
      return `https://127.0.0.1:${front.port}/openai`;
    };
    const addresses = {
      "of-an-expired-certificate": await openFront("expired"),
      "of-another-host": await openFront("of-another-host"),
      "of-an-unknown-authority": await openFront("good"),
      "without-tls": `https://127.0.0.1:${port}/openai`,
      "of-no-host": "https://no-such-host.invalid/openai",
    };
    gateway = await startRelayTest();
    key = await gateway.addToken();
    for (const [models, url] of Object.entries(addresses)) await gateway.addChannel({ url }, { name: models, models });
  });
  after(async () => {
    for (const front of fronts.toReversed()) front.close();
    await gateway.close();
    await upstream.close();
  });

  for (const { model, failure, message } of FAULTS) {
    it(`is named to administrators, and not to callers: ${model}`, async () => {
      const answer = await gateway.post(CHAT, key, chatBody("hello", { model }));
      const told = await errorOf(answer);
      assert.deepEqual([answer.status, told.code], [502, "upstream_failed"]);
      assert.doesNotMatch(told.message, /certificate|TLS|host name|127\.0\.0\.1|invalid/);
      await gateway.testApp.deps.relay.inFlight.idle();
      const [entry] = await gateway.root.data(listLogs, { query: { type: LOG_TYPE.consumption } });
      const logged = entry?.detail?.attempts.at(-1)?.failure ?? "";
      assert.equal(entry?.model_name, model);
      assert.ok(logged.startsWith(`${failure}: `), logged);
      assert.match(logged.slice(failure.length + 2), message);

      const channels = await gateway.root.data(listChannels);
      const { id, base_url } = channels.find(({ name }) => name === model) ?? assert.fail();
      assert.match((await gateway.root.send(testChannel, { params: { id } })).envelope?.message ?? "", message);
      const fetched = await gateway.root.send(askChannelModels, { body: { id, type: 1, base_url } });
      assert.match(fetched.envelope?.message ?? "", message);
      assert.equal(upstream.requests.length, 0, "nothing is sent to it");
    });
  }
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const [PRICED, UNPRICED] = ["gpt-4o-mini", "in-no-price-list"];

describe("a model without a price, where these are refused", () => {
  let gateway: RelayTest;
  let upstream: StubServer;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { name: "both", models: `${PRICED},${UNPRICED}` });
    await setOptions(gateway.testApp, {
      UnpricedModels: "refuse",
      RetryTimes: "0",
      ModelAliases: JSON.stringify({
        fast: [PRICED, UNPRICED],
        free: [UNPRICED],
        first: [UNPRICED, PRICED],
        mix: [
          { model: UNPRICED, when: { input_price_to: 1 } },
          { model: PRICED, when: { tools: true } },
        ],
      }),
    });
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  const ask = (fields: Record<string, unknown>, path = CHAT) =>
    gateway.post(path, key, chatBody("hello", { model: PRICED, ...fields }));
  const modelsSent = () => upstream.requests.map(({ bodyText }) => recordOf(JSON.parse(bodyText))["model"]);
  const failPriced = () =>
    upstream.setBehaviour((request) =>
      request.bodyText.includes(UNPRICED) ? { kind: "normal" } : { kind: "refuse", status: 500 },
    );

  for (const [what, fields] of [
    ["the second of an alias", { model: "fast" }],
    ["the first of an alias", { model: "first" }],
    ["the only one of an alias", { model: "free" }],
    ["one under a price ceiling", { model: "mix" }],
    ["among models", { models: [UNPRICED] }],
    ["a fallback", { fallbacks: [UNPRICED] }],
    ["a fallback by an alias", { fallbacks: ["free"] }],
    ["itself, with a priced fallback", { model: UNPRICED, fallbacks: [PRICED] }],
  ] as const) {
    it(`never answers: ${what}`, async () => {
      failPriced();
      for (const stream of [false, true]) {
        const answer = await ask({ ...fields, stream });
        assert.notEqual(answer.status, 200);
        await errorOf(answer);
      }
      assert.deepEqual(
        modelsSent().filter((model) => model === UNPRICED),
        [],
      );
    });
  }
});

import { after, before, beforeEach } from "node:test";
import type { CreateChannelInput } from "@one-api/contract/channels/channel-input";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { setOptions } from "./set-options.ts";
import { baseUrlOf, type RelayTest, type RelayTestOptions, startRelayTest } from "./start-relay-test.ts";

interface Stage {
  readonly gateway: RelayTest;
  /** The stub behind all channels. */
  readonly upstream: StubServer;
  /** Of root's. */
  readonly key: string;
}

/** A channel of the stage; `at` is appended to the address of its vendor's stub. */
type StageChannel = Partial<CreateChannelInput> & { readonly at?: string };

/**
 * Starts a gateway with channels to one stub and a key for the tests. Each test starts with a normal stub
 * without requests.
 * `prices` are model ratios.
 */
export function withGateway(
  channels: readonly StageChannel[],
  options: RelayTestOptions & { readonly prices?: Readonly<Record<string, number>> } = {},
): Stage {
  let stage: Stage | undefined;
  before(async () => {
    const gateway = await startRelayTest(options);
    const upstream = await gateway.upstream();
    for (const { at = "", ...channel } of channels)
      await gateway.addChannel({ url: baseUrlOf(upstream, channel.type ?? 1) + at }, channel);
    if (options.prices !== undefined) await setOptions(gateway.testApp, { ModelRatio: JSON.stringify(options.prices) });
    stage = { gateway, upstream, key: await gateway.addToken() };
  });
  after(() => stage?.gateway.close());
  const started = (): Stage => {
    if (stage === undefined) throw new Error("The gateway starts before the tests, not before the file is read.");
    return stage;
  };
  beforeEach(() => {
    started().upstream.setBehaviour({ kind: "normal" });
    started().upstream.clearRequests();
  });
  return {
    get gateway() {
      return started().gateway;
    },
    get upstream() {
      return started().upstream;
    },
    get key() {
      return started().key;
    },
  };
}

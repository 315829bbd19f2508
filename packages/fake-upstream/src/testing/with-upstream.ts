import type { TestContext } from "node:test";
import OpenAI from "openai";
import type { FakeUpstreamOptions } from "../upstream-settings.ts";
import { type FakeUpstream, startFakeUpstream } from "../start-fake-upstream.ts";

/** Starts a fake upstream that closes with the test, and the official SDK as its client. */
export async function withUpstream(
  test: TestContext,
  options: FakeUpstreamOptions = {},
): Promise<{ upstream: FakeUpstream; client: OpenAI }> {
  const upstream = await startFakeUpstream(options);
  test.after(() => upstream.close());
  const client = new OpenAI({ apiKey: "sk-test", baseURL: `${upstream.url}/v1`, maxRetries: 0 });
  return { upstream, client };
}

/** Everything that an asynchronous iterable brings. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

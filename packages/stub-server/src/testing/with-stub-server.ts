import type { TestContext } from "node:test";
import OpenAI from "openai";
import type { StubServerOptions } from "../stub-server-options.ts";
import { type StubServer, startStubServer } from "../start-stub-server.ts";

/** Starts a stub server with the test's lifetime, and the official SDK as its client. */
export async function withStubServer(
  test: TestContext,
  options: StubServerOptions = {},
): Promise<{ upstream: StubServer; client: OpenAI }> {
  const upstream = await startStubServer(options);
  test.after(() => upstream.close());
  const client = new OpenAI({ apiKey: "sk-test", baseURL: `${upstream.at("openai")}/v1`, maxRetries: 0 });
  return { upstream, client };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { tokenSchema } from "@one-api/contract/token";
import type { GatewayClient } from "../gateway/gateway-client.ts";

/** The kinds of providers that clients are tried with: a number of the channel's type and a model of it. */
export const PROVIDERS = [
  { name: "OpenAI", type: 1, model: "gpt-4o-mini" },
  { name: "Anthropic", type: 14, model: "claude-sonnet-4-5" },
  { name: "Gemini", type: 24, model: "gemini-2.5-flash" },
  { name: "DeepSeek", type: 36, model: "deepseek-chat" },
  { name: "Ollama", type: 30, model: "llama3.2" },
] as const;

/** Adds a channel of each kind with the stub behind it, and returns the key of a token without limits. */
export async function setUpProviders(root: GatewayClient, upstream: Pick<StubServer, "at">): Promise<string> {
  for (const { name, type, model } of PROVIDERS)
    await root.send("POST", "/api/channel/", {
      type,
      name,
      key: "sk-stub",
      base_url: upstream.at(type),
      models: model,
    });
  // Agents send several thousand model tokens with each request. At a limit per minute they wait silently, and their tries look hung.
  await root.send("POST", "/api/token/", { name: "Clients", unlimited_quota: true, rpm_limit: 0, tpm_limit: 0 });
  const { key } = tokenSchema.parse(await root.get("/api/token/1"));
  return `sk-${key}`;
}

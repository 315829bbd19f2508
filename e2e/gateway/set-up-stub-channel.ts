import { z } from "zod";
import { logInToGateway } from "./gateway-client.ts";

/** The model of the channel. */
export const STUB_MODEL = "gpt-4o-mini";

/** What the token may spend, in quota. */
export const STUB_TOKEN_QUOTA = 50_000_000;

const tokenSchema = z.object({ key: z.string() });

/** Gives a new gateway one channel to a stub upstream and one token, and returns the token's whole key. */
export async function setUpStubChannel(
  gatewayUrl: string,
  upstreamUrl: string,
  models: string = STUB_MODEL,
): Promise<string> {
  const root = await logInToGateway(gatewayUrl);
  await root.send("POST", "/api/channel/", {
    type: 1,
    name: "stub",
    key: "sk-stub",
    base_url: upstreamUrl,
    models,
  });
  const limits = { remain_quota: STUB_TOKEN_QUOTA, rpm_limit: 0, tpm_limit: 0 };
  const { key } = tokenSchema.parse(await root.send("POST", "/api/token/", { name: "test", ...limits }));
  return `sk-${key}`;
}

/** Asks for a chat answer, streamed or whole. */
export function askStub(
  gatewayUrl: string,
  key: string,
  { content = "count with me", stream = true }: { content?: string; stream?: boolean } = {},
): Promise<Response> {
  return fetch(`${gatewayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: STUB_MODEL, stream, messages: [{ role: "user", content }], max_tokens: 100 }),
  });
}

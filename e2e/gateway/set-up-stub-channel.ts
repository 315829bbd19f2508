import { z } from "zod";
import { type GatewayClient, logInToGateway } from "./gateway-client.ts";

/** The model of the channel, where a test names no other. */
export const STUB_MODEL = "gpt-4o-mini";

export const STUB_PROMPT = "count with me";

/** Ratios of the channel's model; whole numbers avoid rounding. */
const STUB_RATIOS = { model: 3, completion: 5, group: 2 };

export function stubCharge(promptTokens: number, completionTokens: number): number {
  return (promptTokens + completionTokens * STUB_RATIOS.completion) * STUB_RATIOS.model * STUB_RATIOS.group;
}

/** Gives these models, and no others, the prices of `stubCharge`. */
export async function setStubPrices(root: GatewayClient, models: readonly string[]): Promise<void> {
  const ofModels = (ratio: number) => Object.fromEntries(models.map((model) => [model, ratio]));
  const options = {
    ModelRatio: ofModels(STUB_RATIOS.model),
    CompletionRatio: ofModels(STUB_RATIOS.completion),
    GroupRatio: { default: STUB_RATIOS.group },
  };
  for (const [key, value] of Object.entries(options))
    await root.send("PUT", "/api/option/", { key, value: JSON.stringify(value) });
}

export const STUB_TOKEN_QUOTA = 50_000_000;

const tokenSchema = z.object({ key: z.string() });

/** Gives a new gateway one channel to a stub upstream with prices of its own, and one token, and returns the token's whole key. */
export async function setUpStubChannel(
  gatewayUrl: string,
  upstreamUrl: string,
  model: string = STUB_MODEL,
): Promise<string> {
  const root = await logInToGateway(gatewayUrl);
  await root.send("POST", "/api/channel/", {
    type: 1,
    name: "stub",
    key: "sk-stub",
    base_url: upstreamUrl,
    models: model,
  });
  await setStubPrices(root, [model]);
  const limits = { remain_quota: STUB_TOKEN_QUOTA, rpm_limit: 0, tpm_limit: 0 };
  const { key } = tokenSchema.parse(await root.send("POST", "/api/token/", { name: "test", ...limits }));
  return `sk-${key}`;
}

/** Streamed or whole, in OpenAI's or Anthropic's format. */
export interface StubQuestion {
  readonly content?: string;
  readonly stream?: boolean;
  readonly api?: "openai" | "anthropic";
  /** Model, or alias. */
  readonly model?: string;
}

/** Asks for a chat answer, by default a stream of OpenAI's API. */
export function askStub(
  gatewayUrl: string,
  key: string,
  { content = STUB_PROMPT, stream = true, api = "openai", model = STUB_MODEL }: StubQuestion = {},
): Promise<Response> {
  const call =
    api === "openai"
      ? { path: "/v1/chat/completions", headers: { authorization: `Bearer ${key}` } }
      : { path: "/v1/messages", headers: { "x-api-key": key, "anthropic-version": "2023-06-01" } };
  return fetch(gatewayUrl + call.path, {
    method: "POST",
    headers: { ...call.headers, "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content }], max_tokens: 100 }),
  });
}

import { DEFAULT_AZURE_API_VERSION } from "@one-api/contract/channel";
import { AZURE_TYPE } from "@one-api/contract/channel-types";
import { ENDPOINT_PATHS } from "../formats/openai/openai-compatible.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Connection, Endpoint, Provider, UpstreamAddress } from "../provider.ts";
import { appendPath, baseUrlOf } from "../shared/upstream-url.ts";

/**
 * Azure OpenAI: a deployment named like the model, or the v1 API when the address ends with `/openai/v1`.
 * Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export const azure: Provider = {
  type: AZURE_TYPE,
  format: "openai",
  endpoints: ["chat-completions", "completions", "embeddings"],
  // API versions before 2024-09-01-preview, the default one among them, refuse `stream_options`.
  streamUsage: "always",
  models: modelsOfType(AZURE_TYPE),
  address(endpoint: Endpoint, model: string, connection: Connection): UpstreamAddress {
    const base = baseUrlOf(AZURE_TYPE, connection);
    return { url: azureUrl(base, endpoint, model, connection), headers: { "api-key": connection.key } };
  },
};

function azureUrl(base: URL, endpoint: Endpoint, model: string, connection: Connection): string {
  if (/\/openai\/v1\/*$/.test(base.pathname)) {
    return appendPath(base, ENDPOINT_PATHS[endpoint]);
  }
  // Cloudflare's AI gateway has resource and deployment directly after its own path.
  const prefix = base.hostname === "gateway.ai.cloudflare.com" ? "" : "/openai/deployments";
  const url = new URL(appendPath(base, `${prefix}/${encodeURIComponent(model)}${ENDPOINT_PATHS[endpoint]}`));
  url.searchParams.set("api-version", connection.config.api_version || connection.other || DEFAULT_AZURE_API_VERSION);
  return url.href;
}

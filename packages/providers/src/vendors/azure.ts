import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import { effectiveOther } from "@one-api/contract/channel-types";
import {
  type Account,
  ENDPOINT_PATHS,
  type OpenAiEndpoint,
  type OpenAiCompatibleOptions,
  readModelNames,
} from "./openai-compatible.ts";
import { listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { appendPath } from "../shared/upstream-url.ts";

/** The last API version whose data plane lists the deployments of a resource. */
const DEPLOYMENTS_API_VERSION = "2022-12-01";

const V1_PATH = /\/openai\/v1\/*$/;

/**
 * Azure OpenAI: a deployment named like the model, or the v1 API when the address ends with `/openai/v1`.
 * Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export function azure(type: number): OpenAiCompatibleOptions {
  return {
    endpoints: ["chat-completions", "completions", "embeddings"],
    // API versions before 2024-09-01-preview, the default one among them, refuse `stream_options`.
    chat: { streamUsage: "always" },
    address: (endpoint, model, { base, connection }) => ({
      url: V1_PATH.test(base.pathname)
        ? appendPath(base, ENDPOINT_PATHS[endpoint])
        : deploymentUrl(base, endpoint, model, apiVersion(type, connection)),
      headers: { "api-key": connection.key },
    }),
    listModels: listDeployments,
  };
}

function apiVersion(type: number, { config, other }: ChannelConnection): string {
  return config.api_version || effectiveOther(type, other);
}

/** Cloudflare's AI gateway has resource and deployment directly after its own path. */
function isGateway(base: URL): boolean {
  return base.hostname === "gateway.ai.cloudflare.com";
}

function deploymentUrl(base: URL, endpoint: OpenAiEndpoint, model: string, version: string): string {
  const prefix = isGateway(base) ? "" : "/openai/deployments";
  const url = new URL(appendPath(base, `${prefix}/${encodeURIComponent(model)}${ENDPOINT_PATHS[endpoint]}`));
  url.searchParams.set("api-version", version);
  return url.href;
}

/** The names of the deployments, which are what requests ask for; one that is being made or has failed is left out. */
async function listDeployments({ base, connection }: Account, getJson: GetJson): Promise<readonly string[]> {
  if (isGateway(base)) {
    throw new Error("Cloudflare's AI gateway does not list the deployments behind it: compare them at Azure.");
  }
  const resource = new URL(base);
  resource.pathname = base.pathname.replace(V1_PATH, "");
  const url = new URL(appendPath(resource, "/openai/deployments"));
  url.searchParams.set("api-version", DEPLOYMENTS_API_VERSION);
  const answer = recordOf(await getJson(url.href, { "api-key": connection.key }));
  const isReady = (deployment: unknown) => ["", "succeeded"].includes(textOf(recordOf(deployment).status));
  return readModelNames(Array.isArray(answer.data) ? { data: listOf(answer.data).filter(isReady) } : answer);
}

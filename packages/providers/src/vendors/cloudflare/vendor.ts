import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { BEHIND_GATEWAY } from "@one-api/contract/channels/channel-needs";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../../failure.ts";
import { cloudflarePictures, makesCloudflarePictures } from "./pictures.ts";
import type { Provider } from "../../provider.ts";
import { listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { appendPath } from "../../shared/upstream-url.ts";
import { type Account, bearerHeaders, ENDPOINT_PATHS, openAiCompatible } from "../../builders/openai-compatible.ts";

const MODELS_PER_PAGE = 100;
const MOST_PAGES = 20;

/**
 * Cloudflare Workers AI by its OpenAI-compatible API: below an account, or behind Cloudflare's AI gateway, whose address ends with
 * `/workers-ai`. Source: https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/
 */
export function cloudflare(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings"],
    // Cloudflare's own client returns thoughts as `reasoning`: https://github.com/cloudflare/ai/releases/tag/workers-ai-provider%403.1.5
    chat: { limitField: "max_tokens", developerRole: false, reasoning: "none", thoughts: "reasoning" },
    pictures: { format: cloudflarePictures, edits: false, isMadeBy: makesCloudflarePictures },
    address: (endpoint, model, account) => ({
      url:
        endpoint === "image-generations" ? runUrlOf(account, model) : urlOf(account, `/v1${ENDPOINT_PATHS[endpoint]}`),
      headers: bearerHeaders(account.connection),
    }),
    listModels,
  });
}

function urlOf(account: Account, path: string): string {
  const { base, connection } = account;
  if (isBehindGateway(account)) return appendPath(base, path);
  return appendPath(base, `/client/v4/accounts/${encodeURIComponent(accountId(connection))}/ai${path}`);
}

function runUrlOf(account: Account, model: string): string {
  const path = model.split("/").map(encodeURIComponent).join("/").replace(/^%40/, "@");
  return urlOf(account, isBehindGateway(account) ? `/${path}` : `/run/${path}`);
}

function isBehindGateway({ base }: Account): boolean {
  return BEHIND_GATEWAY.test(base.pathname);
}

function accountId({ config }: ChannelConnection): string {
  const id = config.user_id?.trim() ?? "";
  if (id === "") throw new UncallableChannelError("account-id");
  return id;
}

async function listModels(account: Account, getJson: GetJson): Promise<readonly string[]> {
  const names = new Set<string>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const url = new URL(urlOf(account, "/models/search"));
    url.searchParams.set("per_page", String(MODELS_PER_PAGE));
    url.searchParams.set("page", String(page));
    const { result } = recordOf(await getJson(url.href, bearerHeaders(account.connection)));
    if (!Array.isArray(result)) throw new Error("The provider's answer holds no list of models.");
    for (const model of listOf(result).map(recordOf)) {
      const task = textOf(recordOf(model.task).name);
      const name = textOf(model.name);
      if (task === "Text Generation" || task === "Text Embeddings" || makesCloudflarePictures(name)) names.add(name);
    }
    if (result.length < MODELS_PER_PAGE) break;
  }
  return [...names].filter((name) => name !== "");
}

import type { IncomingHttpHeaders } from "node:http";
import { openAiErrorBody, bearerKey, RequestRefused } from "../refusal.ts";
import type { Call, Endpoint, Reply } from "../reply.ts";
import { vendorImages } from "./pictures/vendor-images.ts";
import type { SpokenApi } from "./spoken-api.ts";

/** Where those who speak OpenAI's API have it: what stands in front of OpenAI's own path, by the vendors' documentation. */
const PLACES: readonly RegExp[] = [
  // Baidu
  /^\/v2(?=\/(?:chat\/completions|embeddings|models)$)/,
  // Azure, and Groq
  /^\/openai\/deployments\/[^/]+(?=\/)/,
  /^\/openai(?:\/v1)?(?=\/(?:responses|files|batches)(?:\/|$))/,
  /^\/openai\/v1(?=\/chat\/completions$)/,
  // Zhipu
  /^\/api\/paas\/v4/,
  // Doubao
  /^\/api\/v3/,
  // Qwen
  /^\/compatible-mode\/v1/,
  // Cloudflare
  /^\/client\/v4\/accounts\/[^/]+\/ai\/v1/,
];

/** Single paths that are others than OpenAI's. */
const RENAMED: Readonly<Record<string, string>> = { "/v1/text/chatcompletion_v2": "/v1/chat/completions" };

const lists = new Map<string, Endpoint>([
  ["GET /openai/deployments", listDeployments],
  ["GET /client/v4/accounts/account/ai/models/search", listCloudflareModels],
]);

/** OpenAI's API as other vendors have it; `openAi` answers what is the same. */
export function likeOpenAi(openAi: SpokenApi): SpokenApi {
  const ownPath = (path: string): string | undefined => {
    const place = PLACES.find((start) => start.test(path));
    return place === undefined ? RENAMED[path] : path.replace(place, "/v1");
  };
  return {
    isSpoken: ({ path }) => ownPath(path) !== undefined || lists.has(`GET ${path}`) || vendorImages.has(`POST ${path}`),
    readKey,
    writeError: openAi.writeError,
    find: (method, path) =>
      lists.get(`${method} ${path}`) ??
      vendorImages.get(`${method} ${path}`) ??
      openAi.find(method, ownPath(path) ?? path),
  };
}

/** A bearer token, or Azure's own header. Throws where both are sent. */
function readKey({ authorization, "api-key": azureKey }: IncomingHttpHeaders): string | undefined {
  if (azureKey === undefined) return bearerKey(authorization);
  if (authorization === undefined) return String(azureKey);
  throw new RequestRefused(400, openAiErrorBody("Send either api-key or Authorization."));
}

/** GET /openai/deployments, as Azure's data plane listed them until its version of 2022-12-01. */
function listDeployments({ settings }: Call): Reply {
  const data = settings.models.map((id) => ({ id, model: id, status: "succeeded", object: "deployment" }));
  return { kind: "json", body: { object: "list", data }, tokens: 0 };
}

/** GET …/ai/models/search. Source: https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/ */
function listCloudflareModels({ settings }: Call): Reply {
  const result = settings.models.map((name) => ({ id: name, name, task: { name: "Text Generation" } }));
  return { kind: "json", body: { success: true, result, errors: [], messages: [] }, tokens: 0 };
}

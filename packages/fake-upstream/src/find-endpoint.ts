import { billingSubscription, billingUsage } from "./billing.ts";
import { chatCompletions } from "./chat-completions.ts";
import { completions } from "./completions.ts";
import { embeddings } from "./embeddings.ts";
import { listModels, retrieveModel } from "./models.ts";
import { moderations } from "./moderations.ts";
import type { Endpoint } from "./reply.ts";

const endpoints = new Map<string, Endpoint>([
  ["POST /v1/chat/completions", chatCompletions],
  ["POST /v1/completions", completions],
  ["POST /v1/embeddings", embeddings],
  ["POST /v1/moderations", moderations],
  ["GET /v1/models", listModels],
  ["GET /v1/dashboard/billing/subscription", billingSubscription],
  ["GET /v1/dashboard/billing/usage", billingUsage],
]);

/** The endpoint of a method and path, or undefined; only the exact paths of OpenAI's API have one. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const endpoint = endpoints.get(`${method} ${path}`);
  if (endpoint !== undefined) return endpoint;
  return method === "GET" && path.startsWith("/v1/models/") ? retrieveModel : undefined;
}

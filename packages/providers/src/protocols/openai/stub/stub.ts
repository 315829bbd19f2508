import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { findRoute, type Routes, routesBelow } from "../../../stub-kit/routes.ts";
import type { Stub, StubApi } from "../../../stub-kit/stub.ts";
import { rerank } from "../../../stub-kit/rerank.ts";
import { batchRoutes } from "./batches.ts";
import { chatCompletions, completions } from "./completions.ts";
import { embeddings } from "./embeddings.ts";
import { imageEdits, imageGenerations } from "./images.ts";
import { storedObjects } from "./stored-objects.ts";
import { moderations } from "./moderations.ts";
import { realtimeSessions } from "./realtime.ts";
import { responses } from "./responses.ts";
import { recordings, speech } from "./sound.ts";

/** Endpoints below the version. Source: https://platform.openai.com/docs/api-reference */
const ROUTES: Routes = {
  "POST /chat/completions": chatCompletions,
  "POST /responses": responses,
  "POST /completions": completions,
  "POST /embeddings": embeddings,
  "POST /moderations": moderations,
  "POST /rerank": rerank,
  "POST /images/generations": imageGenerations,
  "POST /images/edits": imageEdits,
  "POST /images/variations": imageEdits,
  "POST /audio/speech": speech,
  "POST /audio/transcriptions": recordings,
  "POST /audio/translations": recordings,
  "GET /models": listModels,
  "GET /models/{+id}": retrieveModel,
  "GET /dashboard/billing/subscription": billingSubscription,
  "GET /dashboard/billing/usage": billingUsage,
  ...batchRoutes((method, path) => findRoute(ROUTES, method, path.replace(/^\/v1/, ""))?.endpoint),
  ...storedObjects,
};

interface OpenAiApiOptions {
  /** A regular expression; default `/v1`. */
  readonly at?: string;
  readonly routes?: Routes;
}

export function openAiApi({ at = "/v1", routes = {} }: OpenAiApiOptions = {}): StubApi {
  return {
    // First in order, for patterns that overlap, and last in value, for equal names.
    routes: { ...routes, ...routesBelow(at, ROUTES), ...routes },
  };
}

/** OpenAI, and all vendors without a stub of their own. */
export const openAiStub: Stub = { apis: [openAiApi()], sessions: realtimeSessions() };

const createdAtSeconds = 1_715_367_049;

function listModels({ settings }: Call): Reply {
  return json({ object: "list", data: settings.models.map(model) });
}

function retrieveModel({ params: { id = "" }, settings }: Call): Reply {
  if (!settings.models.includes(id))
    refuse(`The model '${id}' does not exist`, { status: 404, param: "model", code: "model_not_found" });
  return json(model(id));
}

function model(id: string): object {
  return { id, object: "model", created: createdAtSeconds, owned_by: "openai" };
}

function billingSubscription({ settings }: Call): Reply {
  const limit = settings.balance.hardLimitUsd;
  const limits = { soft_limit_usd: limit, hard_limit_usd: limit, system_hard_limit_usd: limit };
  return json({ object: "billing_subscription", has_payment_method: true, ...limits, access_until: 0 });
}

function billingUsage({ settings }: Call): Reply {
  return json({ object: "list", total_usage: settings.balance.totalUsageCents });
}

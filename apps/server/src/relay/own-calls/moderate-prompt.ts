import { z } from "zod";
import type { RelayAsk } from "../body/parse-request.ts";
import type { Caller } from "../callers/caller-source.ts";
import { findRoutes, type Route, weighRoutes } from "../routing/find-candidates.ts";
import { chooseAtRandom } from "../routing/select-channel.ts";
import { ownAsk } from "../dialects/openai.ts";
import type { RequestServices } from "../relay-dependencies.ts";
import { RelayError } from "../errors/relay-error.ts";
import { askOnce } from "./call-provider.ts";

/** Models that judge prompts, the best first. */
const MODERATION_MODELS = ["omni-moderation-latest", "text-moderation-latest", "text-moderation-stable"];
const TIMEOUT_MS = 15_000;

const verdictSchema = z.object({ results: z.array(z.object({ flagged: z.boolean() })) });

/**
 * Asks a moderation model about the prompt (https://platform.openai.com/docs/api-reference/moderations). Throws RelayError: 400 when it is
 * flagged, 503 when nobody can judge it, since a switched-on check never lets a prompt through unseen.
 */
export async function moderatePrompt(deps: RequestServices, caller: Caller, judged: RelayAsk): Promise<void> {
  const route = await findModerationRoute(deps, caller);
  if (route === undefined) throw unjudged("no channel of your group serves a moderation model");
  const input = judged.format.promptParts(judged.body.json).texts;
  const ask = ownAsk("moderations", { model: route.upstreamModel, input });
  const result = await askOnce(deps, ask, route, TIMEOUT_MS);
  const verdict = result.ok ? verdictSchema.safeParse(parse(result.answer.bytes)).data : undefined;
  if (verdict === undefined) throw unjudged("the moderation model did not answer");
  if (!verdict.results.some(({ flagged: isFlagged }) => isFlagged)) return;
  deps.refusals.countFlagged(caller.tokenId);
  throw flagged();
}

async function findModerationRoute(deps: RequestServices, caller: Caller): Promise<Route | undefined> {
  const snapshot = await deps.channels.snapshot();
  for (const group of caller.groups) {
    for (const model of MODERATION_MODELS) {
      const { routes } = findRoutes(snapshot.serving(group, model), model, "moderations", deps.options);
      const weighed = weighRoutes(routes, deps.health, deps.clock, new Set());
      const route = chooseAtRandom(weighed, deps.random());
      if (route !== undefined) return route;
    }
  }
  return undefined;
}

function parse(bytes: Buffer): unknown {
  try {
    const json: unknown = JSON.parse(bytes.toString());
    return json;
  } catch {
    return undefined;
  }
}

function flagged(): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "content_policy_violation",
    message: "The prompt was flagged by moderation and was not sent on.",
  });
}

function unjudged(why: string): RelayError {
  return new RelayError({
    status: 503,
    code: "moderation_unavailable",
    message: `This API key sends prompts through moderation first, and ${why}.`,
  });
}

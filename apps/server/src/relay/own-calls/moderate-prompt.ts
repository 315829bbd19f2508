import { z } from "zod";
import type { ParsedRequest } from "../body/index.ts";
import type { Caller, CallerServices } from "../callers/index.ts";
import {
  type Candidate,
  chooseAtRandom,
  findCandidates,
  type RoutingServices,
  weighCandidates,
} from "../routing/index.ts";
import { ownRequest } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import { callOnce } from "./call-provider.ts";
import type { UpstreamServices } from "../upstream/index.ts";

interface ModerationServices
  extends
    Pick<CallerServices, "refusals">,
    Pick<RoutingServices, "channels" | "health" | "clock" | "random" | "providerSwitches">,
    Pick<UpstreamServices, "upstream" | "translate" | "log"> {}

const MODERATION_MODELS = ["omni-moderation-latest", "text-moderation-latest", "text-moderation-stable"];
const TIMEOUT_MS = 15_000;

const verdictSchema = z.object({ results: z.array(z.object({ flagged: z.boolean() })) });

/**
 * Throws RelayError: 400 if the prompt is flagged, 503 if no model can judge it, since an enabled check never fails open.
 * https://platform.openai.com/docs/api-reference/moderations
 */
export async function moderatePrompt(
  services: ModerationServices,
  caller: Caller,
  judged: ParsedRequest,
): Promise<void> {
  const route = await findModerationRoute(services, caller);
  if (route === undefined) throw unjudged("no channel of your group serves a moderation model");
  const input = judged.format.promptParts(judged.body.json).texts;
  const parsed = ownRequest("moderations", { model: route.upstreamModel, input });
  const result = await callOnce(services, parsed, route, TIMEOUT_MS);
  const verdict = result.ok ? verdictSchema.safeParse(parse(result.answer.bytes)).data : undefined;
  if (verdict === undefined) throw unjudged("the moderation model did not answer");
  if (!verdict.results.some(({ flagged: isFlagged }) => isFlagged)) return;
  services.refusals.countFlagged(caller.tokenId);
  throw flagged();
}

async function findModerationRoute(services: ModerationServices, caller: Caller): Promise<Candidate | undefined> {
  const snapshot = await services.channels.snapshot();
  for (const group of caller.groups) {
    for (const model of MODERATION_MODELS) {
      const { routes } = findCandidates(
        snapshot.serving(group, model),
        model,
        "moderations",
        services.providerSwitches(),
      );
      const weighed = weighCandidates(routes, services, new Set());
      const route = chooseAtRandom(weighed, services.random());
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

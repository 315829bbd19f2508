import type { IncomingMessage } from "node:http";
import { parseJson } from "@one-api/providers/shared/json-fields";
import { inflateBody } from "../body/inflate-body.ts";
import { readBody, type RelayAsk } from "../body/parse-request.ts";
import { isLong, readLongBody } from "../body/read-long-body.ts";
import { IncomingBody } from "../body/receive-body.ts";
import type { Caller } from "../callers/caller-source.ts";
import { findRoutes, weighRoutes } from "../routing/find-candidates.ts";
import { chooseAtRandom } from "../routing/select-channel.ts";
import type { AskPath } from "../dialects/dialect.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { askOnce } from "./call-provider.ts";
import { checkModel } from "../callers/check-model.ts";

/** How long a provider may take to count, in ms. */
const COUNT_TIMEOUT_MS = 10_000;

/**
 * Counts the prompt of a request that is not sent: by the provider where it counts for nothing, else here. Throws RelayError. It takes a place in the
 * caller's requests per minute, and none in its tokens.
 */
export async function countPrompt(
  deps: RelayDependencies,
  caller: Caller,
  request: IncomingMessage,
  askPath: AskPath,
): Promise<number> {
  const ask = await receiveAsk(deps, caller, request, askPath);
  checkModel(caller, ask.model);
  const admission = deps.limiter.admit(caller.limits, 0);
  try {
    return (await askProvider(deps, caller, ask)) ?? (await deps.countTokens.prompt(ask, ask.model));
  } finally {
    admission.settle(0);
  }
}

async function receiveAsk(
  deps: RelayDependencies,
  { userId }: Caller,
  request: IncomingMessage,
  askPath: AskPath,
): Promise<RelayAsk> {
  let body: IncomingBody | undefined;
  try {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      body = new IncomingBody(inflateBody(request, reject), deps, resolve, reject);
      request.once("close", () => {
        // It also closes when all of it has come, of which the last may still be unpacked.
        if (!request.complete) reject(new Error("The caller has left."));
      });
      body.read(userId);
    });
    const json = isLong(bytes) ? await readLongBody(bytes, deps.turns, () => true) : readBody(bytes);
    return askPath.readAsk(json, request.headers);
  } finally {
    body?.release();
  }
}

/** What a channel's provider counts; undefined where none does, or it fails: a count is not worth an error. */
async function askProvider(deps: RelayDependencies, caller: Caller, ask: RelayAsk): Promise<number | undefined> {
  const snapshot = await deps.channels.snapshot();
  for (const group of caller.groups) {
    const serving = snapshot.serving(group, ask.model);
    const { routes } = findRoutes(serving, ask.model, "token-counts", deps.options);
    const weighed = weighRoutes(routes, deps.health, deps.clock, new Set());
    const route = chooseAtRandom(weighed, deps.random());
    if (route !== undefined) {
      const result = await askOnce(deps, ask, route, COUNT_TIMEOUT_MS);
      if (!result.ok) return undefined;
      return route.service.format.readCount?.(parseJson(result.answer.bytes.toString()));
    }
    if (serving.length > 0) return undefined;
  }
  throw await deps.plans.unserved(caller.groups, ask.model);
}

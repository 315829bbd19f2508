import type { IncomingMessage } from "node:http";
import { parseJson } from "@one-api/providers/shared/json-fields";
import {
  type BodyIntake,
  IncomingBody,
  inflateBody,
  isLong,
  type ParsedRequest,
  readBody,
  readLongBody,
  requestFacts,
} from "../body/index.ts";
import { type Caller, type CallerServices, modelsFor } from "../callers/index.ts";
import { asServed, chooseAtRandom, findCandidates, type RoutingServices, weighCandidates } from "../routing/index.ts";
import type { CallPath } from "../dialects/index.ts";
import { callOnce } from "./call-provider.ts";
import type { UpstreamServices } from "../upstream/index.ts";
import type { CountTokens } from "../usage/index.ts";

interface CountServices
  extends
    BodyIntake,
    Pick<CallerServices, "limiter">,
    Pick<RoutingServices, "channels" | "plans" | "aliases" | "health" | "clock" | "random" | "providerSwitches">,
    Pick<UpstreamServices, "upstream" | "translate" | "log"> {
  readonly countTokens: Pick<CountTokens, "prompt">;
}

const COUNT_TIMEOUT_MS = 10_000;

/** Counts at the provider if that is free, else here. Throws RelayError. Counts as a request, without model tokens. */
export async function countPrompt(
  services: CountServices,
  caller: Caller,
  request: IncomingMessage,
  callPath: CallPath,
): Promise<number> {
  const parsed = await receiveRequest(services, caller, request, callPath);
  const models = modelsFor(services, caller, parsed, () => requestFacts(parsed)).map(({ model }) => model);
  const [model = parsed.model] = models;
  const admission = await services.limiter.admit(caller.limits, {
    models,
    modelTokens: 0,
    isForImages: false,
  });
  try {
    return (
      (await countAtProvider(services, caller, parsed, model)) ?? (await services.countTokens.prompt(parsed, model))
    );
  } finally {
    admission.settle(0);
  }
}

async function receiveRequest(
  services: CountServices,
  { userId }: Caller,
  request: IncomingMessage,
  callPath: CallPath,
): Promise<ParsedRequest> {
  let body: IncomingBody | undefined;
  try {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      body = new IncomingBody(inflateBody(request, reject), services, resolve, reject);
      request.once("close", () => {
        // "close" follows a complete body too, whose rest may still be decompressed.
        if (!request.complete) reject(new Error("The caller has left."));
      });
      body.read(userId);
    });
    const json = isLong(bytes) ? await readLongBody(bytes, services.timeSlices, () => true) : readBody(bytes);
    return callPath.parseRequest(json, request.headers);
  } finally {
    body?.release();
  }
}

async function countAtProvider(
  services: CountServices,
  caller: Caller,
  parsed: ParsedRequest,
  model: string,
): Promise<number | undefined> {
  const snapshot = await services.channels.snapshot();
  for (const group of caller.groups) {
    const serving = snapshot.serving(group, model);
    const { routes } = findCandidates(serving, model, "token-counts", services.providerSwitches());
    const weighed = weighCandidates(routes, services, new Set());
    const route = chooseAtRandom(weighed, services.random());
    if (route !== undefined) {
      const served = asServed(route, parsed);
      const result = await callOnce(services, parsed, served, COUNT_TIMEOUT_MS);
      if (!result.ok) return undefined;
      return served.service.format.readCount?.(parseJson(result.answer.bytes.toString()));
    }
    if (serving.length > 0) return undefined;
  }
  throw await services.plans.unserved(caller.groups, parsed.model);
}

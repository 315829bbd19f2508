import { answerHeaders } from "./answer-headers.ts";
import type { Route } from "./channels/pick-channel.ts";
import { countAnswer } from "./count-usage.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import type { RelayJob } from "./relay-job.ts";
import { settleJob } from "./settle-job.ts";
import { settleSurely } from "./settle-surely.ts";
import type { UpstreamAnswer } from "./upstream/fetch-answer.ts";

/** Books the charge of a whole answer, and only then sends it: the provider's own bytes. */
export async function sendAnswer(
  deps: RelayDependencies,
  job: RelayJob,
  route: Route,
  answer: UpstreamAnswer,
): Promise<void> {
  const firstByteMs = Math.round(deps.clock.monotonicMs() - job.arrival.startedMs);
  const { usage } = answer;
  const counted =
    usage ??
    (await countAnswer(deps.countTokens, job.ask, route.upstreamModel, answer.bytes, route.channel.calcPrompt));
  const rule = usage === undefined ? "estimated" : "usage";
  await settleSurely(() => settleJob(deps, job, { route, usage: counted, rule, end: "complete", firstByteMs }));
  const { response } = job;
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": answer.bytes.length,
    ...answerHeaders(job.requestId),
    ...job.limitHeaders,
  });
  response.end(answer.bytes);
}

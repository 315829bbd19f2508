import { REQUEST_ID_HEADER } from "@one-api/contract/constants";
import type { LogResult } from "@one-api/contract/log";
import type { StreamMeter } from "@one-api/providers/format";
import { NO_USAGE } from "@one-api/providers/usage";
import type { Checkpoint } from "../ledger/ledger.ts";
import type { ActiveRelay } from "./active-relays.ts";
import { noteFailure, noteSuccess } from "./channels/note-outcome.ts";
import type { Route } from "./channels/pick-channel.ts";
import { countAnswer, countStream, guessPromptTokens } from "./count-usage.ts";
import { computeCharge } from "./pricing/compute-charge.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayJob } from "./relay-job.ts";
import { type JobEnd, settleJob, settleSurely } from "./settle-job.ts";
import { answerForFailure } from "./upstream/failure-answer.ts";
import type { UpstreamAnswer } from "./upstream/fetch-answer.ts";
import type { EventSink, OpenedStream, StreamEnd } from "./upstream/open-stream.ts";

const EXPOSED = [
  REQUEST_ID_HEADER,
  "retry-after",
  ...["limit", "remaining", "reset"].flatMap((part) => [
    `x-ratelimit-${part}-requests`,
    `x-ratelimit-${part}-images`,
    `x-ratelimit-${part}-tokens`,
  ]),
].join(", ");

/** Headers of every answer of the relay. Pages of any origin may read it: a key is needed, and no cookie counts here. */
export function answerHeaders(requestId: string): Record<string, string> {
  return {
    [REQUEST_ID_HEADER]: requestId,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
  };
}

/** Headers of the answer to a browser that asks before it calls (Fetch standard, "CORS-preflight fetch"). */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "*, authorization",
  "access-control-max-age": "86400",
} as const;

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
  const end: JobEnd = {
    route,
    usage: counted,
    rule,
    end: "complete",
    result: "ok",
    statusCode: answer.status,
    firstByteMs,
  };
  await settleSurely(
    deps.timeouts.settleMs,
    () => settleJob(deps, job, end),
    // What is never sent is never charged.
    () => settleJob(deps, job, { ...end, usage: undefined, rule: "none", end: "unbooked", result: "gateway-failed" }),
  );
  const { response } = job;
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": answer.bytes.length,
    ...answerHeaders(job.requestId),
    ...job.admission.headers,
  });
  response.end(answer.bytes);
}

const END_MARK = "data: [DONE]\n\n";

/** Passes a stream on, books its charge, and only then sends the end mark. Resolves when the request is settled. */
export async function sendStream(
  deps: RelayDependencies,
  job: RelayJob,
  route: Route,
  opened: { readonly stream: OpenedStream; readonly meter: StreamMeter },
): Promise<void> {
  const reply = new StreamReply(deps, job, route, opened);
  const remove = deps.active.add(reply);
  try {
    await reply.run();
  } finally {
    remove();
  }
}

/** Why the flow of a stream stopped. */
type FlowEnd = StreamEnd | { readonly kind: "caller-gone" } | { readonly kind: "caller-stalled" };

/** How the log tells the end of a stream that had begun. */
const RESULT_OF_END: Readonly<Record<FlowEnd["kind"], LogResult>> = {
  complete: "ok",
  failed: "cut",
  "caller-gone": "caller-gone",
  "caller-stalled": "caller-gone",
};

class StreamReply implements EventSink, ActiveRelay {
  readonly #deps: RelayDependencies;
  readonly #job: RelayJob;
  readonly #route: Route;
  readonly #stream: OpenedStream;
  readonly #meter: StreamMeter;
  readonly #firstByteMs: number;
  #stalledSinceMs = 0;
  #finish: (end: FlowEnd) => void = () => undefined;

  constructor(
    deps: RelayDependencies,
    job: RelayJob,
    route: Route,
    opened: { readonly stream: OpenedStream; readonly meter: StreamMeter },
  ) {
    this.#deps = deps;
    this.#job = job;
    this.#route = route;
    this.#stream = opened.stream;
    this.#meter = opened.meter;
    this.#firstByteMs = Math.round(deps.clock.monotonicMs() - job.arrival.startedMs);
  }

  async run(): Promise<void> {
    const { response, arrival, requestId, admission } = this.#job;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...answerHeaders(requestId),
      ...admission.headers,
    });
    response.on("drain", () => {
      this.#stalledSinceMs = 0;
      this.#stream.controls.resume();
    });
    const flowed = new Promise<FlowEnd>((resolve) => (this.#finish = resolve));
    void arrival.callerGone.then(() => this.#finish({ kind: "caller-gone" }));
    this.#stream.flow(this);
    await this.#close(await flowed);
  }

  events(events: readonly Buffer[]): void {
    const bytes = events.length === 1 && events[0] !== undefined ? events[0] : Buffer.concat(events);
    if (this.#job.response.write(bytes)) return;
    this.#stalledSinceMs = this.#deps.clock.monotonicMs();
    this.#stream.controls.pause();
  }

  ended(end: StreamEnd): void {
    this.#finish(end);
  }

  checkpoint(): Checkpoint | undefined {
    if (!this.#meter.sawContent) return undefined;
    const usage = { ...NO_USAGE, promptTokens: this.#promptSoFar(), completionTokens: this.#meter.deliveredTokens() };
    const delivered = Math.min(this.#job.reserved, computeCharge(usage, this.#job.priceOf(this.#route)));
    return { requestId: this.#job.requestId, channelId: this.#route.id, delivered };
  }

  cutIfStalled(nowMs: number): void {
    if (this.#stalledSinceMs === 0 || nowMs - this.#stalledSinceMs < this.#deps.timeouts.callerStallMs) return;
    this.#finish({ kind: "caller-stalled" });
  }

  async #close(end: FlowEnd): Promise<void> {
    const { response } = this.#job;
    if (end.kind !== "complete") this.#stream.controls.abort();
    if (end.kind === "complete") noteSuccess(this.#deps, this.#route);
    if (end.kind === "failed") noteFailure(this.#deps, this.#route, end.failure);
    try {
      await settleSurely(this.#deps.timeouts.settleMs, await this.#settlement(end));
    } catch {
      response.end(this.#errorEvent(unbooked()));
      return;
    }
    if (end.kind === "complete") response.end(END_MARK);
    else if (end.kind === "failed") response.end(this.#errorEvent(answerForFailure(end.failure)));
    else response.destroy();
  }

  async #settlement(end: FlowEnd): Promise<() => ReturnType<typeof settleJob>> {
    const deps = this.#deps;
    const { reported, rule } = this.#known(end);
    const count = () => {
      const stream = { reported, deliveredTokens: this.#meter.deliveredTokens() };
      return countStream(
        deps.countTokens,
        this.#job.ask,
        this.#route.upstreamModel,
        stream,
        this.#route.channel.calcPrompt,
      );
    };
    const usage = rule === "usage" ? reported : await count();
    const jobEnd: JobEnd = {
      route: this.#route,
      usage,
      rule,
      end: end.kind === "failed" ? end.failure.kind : end.kind,
      result: RESULT_OF_END[end.kind],
      statusCode: 200,
      firstByteMs: this.#firstByteMs,
    };
    return () => settleJob(deps, this.#job, jobEnd);
  }

  /** A whole stream is charged as reported; one that was cut for what was delivered, never less than reported. */
  #known(end: FlowEnd) {
    const reported = this.#meter.usage;
    if (end.kind === "complete")
      return { reported, rule: reported === undefined ? ("estimated" as const) : ("usage" as const) };
    return { reported, rule: "partial" as const };
  }

  /** An error inside the stream: OpenAI's error object as an event. No end mark follows. */
  #errorEvent(error: RelayError): string {
    const { caller, requestId } = this.#job;
    return `data: ${error.forToken(caller.customContact, {}).toJson(requestId)}\n\n`;
  }

  #promptSoFar(): number {
    return this.#meter.usage?.promptTokens ?? guessPromptTokens(this.#job.ask);
  }
}

function unbooked(): RelayError {
  return new RelayError({
    status: 503,
    code: "unavailable",
    message: "The answer could not be booked, so it ends here. Try again.",
  });
}

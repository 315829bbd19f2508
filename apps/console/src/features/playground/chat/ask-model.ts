import { TOKEN_KEY_PREFIX } from "@one-api/contract/constants";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { errorText } from "../../../lib/api/error-text.ts";
import { openRelayStream } from "../../../lib/api/relay-client.ts";
import { readRefusalValues } from "../../../lib/values/refusal-values.ts";
import { type ChatAsk, writeChatRequest } from "./chat-request.ts";
import { type Answer, type AnswerFailure, emptyAnswer, newId } from "./conversation.ts";
import { changeTurns, keepIfWanted, type Pane, runningIn, turnsOf } from "./playground-store.ts";
import { addEvent, readEvents } from "./read-answer.ts";

const CHAT_PATH = "/v1/chat/completions";

/** Interval of rendering a stream, in ms: faster than reading, and cheap for long answers. */
const SHOWN_EVERY_MS = 40;

/** A stream that ended in its middle. */
const BROKEN = new ApiError({ kind: "http", status: 200, code: "broken_stream", message: "" });

/** An ask without the turns: those of the pane are sent. */
export type PaneAsk = Omit<ChatAsk, "turns"> & { readonly tokenId: number };

function failureOf(error: unknown): AnswerFailure {
  if (!(error instanceof ApiError))
    return { message: errorText(error), status: 0, code: "", values: {}, waitSeconds: 0 };
  const seconds = error.values?.["seconds"];
  return {
    // The relay says more than the code; what the control API says has a text in the reader's language.
    message: error.kind === "network" || error.kind === "refused" ? errorText(error) : error.message,
    status: error.status,
    code: error.code ?? "",
    values: readRefusalValues(error.values),
    waitSeconds: typeof seconds === "number" ? seconds : 0,
  };
}

/** The growing answer: collects every change, and shows them at a readable pace. */
class GrowingAnswer {
  readonly #pane: Pane;
  readonly #startedAt = performance.now();
  #answer: Answer;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pane: Pane, answer: Answer) {
    this.#pane = pane;
    this.#answer = answer;
    changeTurns(pane, (turns) => [...turns, answer]);
  }

  change(change: (answer: Answer) => Answer): void {
    const next = change(this.#answer);
    const hasBegun = next.text !== "" || next.thoughts !== "" || next.calls.length > 0;
    const firstTokenMs = next.firstTokenMs === 0 && hasBegun ? this.#elapsedMs() : next.firstTokenMs;
    this.#answer = { ...next, firstTokenMs };
    this.#timer ??= setTimeout(() => this.#show(), SHOWN_EVERY_MS);
  }

  /** Ends the answer as its stream ended; without an end mark it was cut. */
  endWithStream(): void {
    const { state } = this.#answer;
    if (state === "running") this.fail(BROKEN);
    else this.#end((answer) => answer);
  }

  stop(): void {
    this.#end((answer) => ({ ...answer, state: "stopped" }));
  }

  fail(error: unknown): void {
    const requestId = error instanceof ApiError ? (error.requestId ?? "") : "";
    this.#end((answer) => ({
      ...answer,
      state: "failed",
      failure: failureOf(error),
      requestId: answer.requestId === "" ? requestId : answer.requestId,
    }));
  }

  #end(change: (answer: Answer) => Answer): void {
    this.change((answer) => ({ ...change(answer), totalMs: this.#elapsedMs() }));
    clearTimeout(this.#timer);
    this.#show();
    keepIfWanted();
  }

  #elapsedMs(): number {
    return Math.max(1, Math.round(performance.now() - this.#startedAt));
  }

  #show(): void {
    this.#timer = undefined;
    changeTurns(this.#pane, (turns) => turns.map((turn) => (turn.id === this.#answer.id ? this.#answer : turn)));
  }
}

/** The key comes from the server for this one call, stays in this function and is stored nowhere. */
async function receive(answer: GrowingAnswer, tokenId: number, body: object, signal: AbortSignal): Promise<void> {
  const { key } = await callApi("GET /api/token/:id", { params: { id: tokenId }, signal });
  const stream = await openRelayStream(CHAT_PATH, {
    key: TOKEN_KEY_PREFIX + key,
    body: { ...body, stream: true, stream_options: { include_usage: true } },
    signal,
  });
  answer.change((begun) => ({ ...begun, requestId: stream.requestId, dropped: stream.dropped }));
  for await (const data of readEvents(stream.bytes)) {
    answer.change((begun) => addEvent(begun, data));
  }
}

/**
 * Sends the pane's next turn to its model and shows the stream. Resolves at the end of the answer, after success or
 * failure.
 */
export async function askModel(pane: Pane, { tokenId, ...ask }: PaneAsk): Promise<void> {
  if (runningIn.has(pane)) return;
  const body = writeChatRequest({ ...ask, turns: turnsOf(pane).get() });
  const controller = new AbortController();
  runningIn.set(pane, controller);
  const answer = new GrowingAnswer(pane, emptyAnswer(newId(), ask.model.model));
  try {
    await receive(answer, tokenId, body, controller.signal);
    answer.endWithStream();
  } catch (error) {
    if (controller.signal.aborted) answer.stop();
    else answer.fail(error);
  } finally {
    if (runningIn.get(pane) === controller) runningIn.delete(pane);
  }
}

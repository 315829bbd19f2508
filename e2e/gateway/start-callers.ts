import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { type DeliveredAnswer, readDelivered } from "./delivered-answer.ts";

const RETRY_MS = 100;
const LONGEST_WAIT_MS = 60_000;

/** A call without a complete answer. */
interface FailedCall {
  readonly url: string;
  /** Name of the gateway in `x-served-by`; null without an answer, or without a balancer. */
  readonly server: string | null;
  readonly startedMs: number;
  readonly error: string;
}

/** One call to the gateway, or to the balancer, at `url`. */
export type AskGateway = (url: string) => Promise<Response>;

export interface Callers {
  /** Begins a call of a further caller every 100 ms for so long. */
  arrive(durationMs: number): Promise<void>;
  /** Resolves after `count` further answers. */
  answers(count: number): Promise<void>;
  count(): number;
  takeFailed(): FailedCall[];
  stop(): Promise<DeliveredAnswer[]>;
}

/** Callers that make one call after another until `stop`. `nextUrl`: the target of the next call. */
export function startCallers(callers: number, nextUrl: () => string, ask: AskGateway): Callers {
  const delivered: DeliveredAnswer[] = [];
  const failed: FailedCall[] = [];
  let stopped = false;
  const call = async () => {
    const startedMs = Date.now();
    const url = nextUrl();
    let server: string | null = null;
    try {
      const answer = await ask(url);
      server = answer.headers.get("x-served-by");
      const text = await answer.text();
      const complete = readDelivered(answer, text);
      if (complete === undefined) failed.push({ url, server, startedMs, error: `${answer.status} ${text}` });
      else delivered.push(complete);
    } catch (error) {
      failed.push({ url, server, startedMs, error: String(error) });
      await wait(RETRY_MS);
    }
  };
  const running: Promise<unknown>[] = Array.from({ length: callers }, async () => {
    while (!stopped) await call();
  });
  return {
    async arrive(durationMs) {
      for (const until = Date.now() + durationMs; Date.now() < until; await wait(RETRY_MS)) running.push(call());
    },
    async answers(count) {
      const aim = delivered.length + count;
      const deadline = Date.now() + LONGEST_WAIT_MS;
      while (delivered.length < aim) {
        assert.ok(Date.now() < deadline, `answers stopped: ${JSON.stringify(failed.slice(-3))}`);
        await wait(RETRY_MS);
      }
    },
    count: () => delivered.length,
    takeFailed: () => failed.splice(0),
    async stop() {
      stopped = true;
      await Promise.all(running);
      return delivered;
    },
  };
}

// Preloaded into a gateway (--import). Its clock and timers run CLOCK_RATE times as fast as real time. Each SIGUSR2 moves
// the time of day, not the timers, CLOCK_JUMP_SECONDS ahead.
import { subscribe } from "node:diagnostics_channel";
import { ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import promises from "node:timers/promises";

const rate = Number(process.env["CLOCK_RATE"] ?? 1);
const jumpMs = Number(process.env["CLOCK_JUMP_SECONDS"] ?? 0) * 1_000;

const RealDate = Date;
const realMonotonicMs = performance.now.bind(performance);
const startMs = Date.now();
const startMonotonicMs = realMonotonicMs();
let aheadMs = 0;
process.on("SIGUSR2", () => {
  aheadMs += jumpMs;
});

const elapsedMs = () => (realMonotonicMs() - startMonotonicMs) * rate;
const nowMs = () => Math.floor(startMs + elapsedMs() + aheadMs);

performance.now = () => startMonotonicMs + elapsedMs();
RealDate.now = nowMs;
globalThis.Date = new Proxy(RealDate, {
  construct(target, args: readonly unknown[], newTarget) {
    const date: unknown = Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget);
    if (!(date instanceof RealDate)) throw new TypeError("A date is expected.");
    return date;
  },
});

/** Divides the delay, an argument at this position. */
function quicken<T extends (...args: never[]) => unknown>(timer: T, position: number): T {
  return new Proxy(timer, {
    apply(target, self, args: readonly unknown[]) {
      const quicker = args.map((value, at) => (at === position && typeof value === "number" ? value / rate : value));
      const made: unknown = Reflect.apply(target, self, quicker);
      return made;
    },
  });
}

timers.setTimeout = globalThis.setTimeout = quicken(setTimeout, 1);
timers.setInterval = globalThis.setInterval = quicken(setInterval, 1);
promises.setTimeout = quicken(promises.setTimeout, 0);
promises.setInterval = quicken(promises.setInterval, 0);
syncBuiltinESMExports();

// Node takes the time of its Date header from the system.
subscribe("http.server.request.start", (message) => {
  const isRequest = typeof message === "object" && message !== null && "response" in message;
  if (isRequest && message.response instanceof ServerResponse)
    message.response.setHeader("date", new Date().toUTCString());
});

import { type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { IDLE_STREAM } from "./scenarios.ts";
import type { Subject } from "./subjects.ts";

const OPENED_AT_ONCE = 50;

/**
 * Opens `count` silent streams twice; returns the memory of each of the second half, in KiB, after the first half has
 * grown the heap. Both halves need thousands: V8's young generation grows with the first 2,000. Use a fresh process,
 * which has no spare memory. Needs `count` times four open files; throws if a stream is refused.
 */
export async function measureOpenStreams(subject: Subject, count: number): Promise<number> {
  const open: ClientRequest[] = [];
  try {
    await openMore(subject, open, count);
    const before = subject.process.memoryMegabytes();
    await openMore(subject, open, count);
    return ((subject.process.memoryMegabytes() - before) * 1024) / count;
  } finally {
    for (const stream of open) stream.destroy();
    await wait(1_000);
  }
}

async function openMore(subject: Subject, open: ClientRequest[], count: number): Promise<void> {
  const total = open.length + count;
  while (open.length < total) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, total - open.length) }, (_, index) =>
      openStream(subject, open.length + index),
    );
    open.push(...(await Promise.all(some)));
  }
  await wait(1_000);
}

function openStream(subject: Subject, index: number): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(IDLE_STREAM.path, subject.process.url), {
      method: "POST",
      agent: false,
      headers: {
        ...subject.headers,
        "content-type": "application/json",
        authorization: `Bearer ${subject.keys[index % subject.keys.length]}`,
      },
    });
    call.on("error", reject);
    call.on("response", (response) => {
      response.on("error", () => undefined);
      if (response.statusCode !== 200) reject(new Error(`${subject.name} answered ${response.statusCode}.`));
      response.once("data", () => resolve(call));
    });
    call.end(JSON.stringify(IDLE_STREAM.body));
  });
}

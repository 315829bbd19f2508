import { type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { IDLE_STREAM } from "./scenarios.ts";
import type { Subject } from "./subjects.ts";

const OPENED_AT_ONCE = 50;

/**
 * Opens so many streams that begin and then say nothing, then as many again, and returns what each of the second half takes, in KiB of the
 * process's memory: with the first half its heap grows to a size of its own. Both halves need thousands: V8's young generation grows to its size
 * with the first 2,000 of a gateway, which is up to 40 KiB for each of them and nothing for the next. Measure a fresh process: one that has served
 * much has memory to spare. Throws when a stream is refused; `count` times four open
 * files are needed.
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

/** Resolves at the first bytes of the stream. */
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

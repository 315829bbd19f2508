import { type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { IDLE_STREAM } from "./scenarios.ts";
import type { Subject } from "./subjects.ts";

const OPENED_AT_ONCE = 50;

/**
 * Opens so many streams that begin and then say nothing, and returns what each of them takes, in KiB of the process's memory. A process that
 * has served much has memory to spare, so measure a fresh one. Throws when a stream is refused.
 */
export async function measureOpenStreams(subject: Subject, count: number): Promise<number> {
  // A few before, so that what a process makes once is not counted.
  await openAndClose(subject, OPENED_AT_ONCE);
  const before = subject.process.memoryMegabytes();
  const after = await openAndClose(subject, count);
  return ((after - before) * 1024) / count;
}

async function openAndClose(subject: Subject, count: number): Promise<number> {
  const open: ClientRequest[] = [];
  try {
    while (open.length < count) {
      const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - open.length) }, (_, index) =>
        openStream(subject, open.length + index),
      );
      open.push(...(await Promise.all(some)));
    }
    await wait(1_000);
    return subject.process.memoryMegabytes();
  } finally {
    for (const stream of open) stream.destroy();
    await wait(1_000);
  }
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

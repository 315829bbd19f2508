import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from "mediabunny";
import { createMeasureRecording, type Recording } from "./measure-recordings.ts";

const connected = (userId: number) => ({ userId, isConnected: () => true });

/** WAV: 8 kHz, 8 bits, mono. It may declare fewer seconds than it has. */
function wav(seconds: number, said = seconds): Recording {
  const file = Buffer.alloc(44 + seconds * 8_000, 128);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, said * 8_000],
  ] as const)
    file.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    file.writeUInt16LE(value, at);
  file.write("data", 36, "latin1");
  return { file, contentType: "audio/wav", fileName: "a.wav" };
}

/** MP3: 8 kbit/s, 24 kHz; 24 bytes and 24 ms per frame. The first frame declares one frame in all. */
function mp3(frames: number): Recording {
  const frame = Buffer.alloc(24);
  frame.set([0xff, 0xf3, 0x14, 0xc4]);
  const first = Buffer.alloc(240);
  first.set([0xff, 0xf3, 0xa4, 0xc4]);
  first.write("Info", 13, "latin1");
  first.writeUInt32BE(1, 17);
  first.writeUInt32BE(1, 21);
  const file = Buffer.concat([first, ...Array.from({ length: frames }, () => frame)]);
  return { file, contentType: "audio/mpeg", fileName: "a.mp3" };
}

/** Opus: 16 bytes per 20 ms, with timestamps of 1 ms. */
async function hurried(format: OutputFormat, packets: number): Promise<Recording> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource("opus");
  output.addAudioTrack(source);
  await output.start();
  const data = new Uint8Array(16).fill(0xf8, 0, 1);
  const description = Buffer.concat([Buffer.from("OpusHead"), Buffer.from("0101000080bb0000000000", "hex")]);
  const decoderConfig = { codec: "opus", numberOfChannels: 1, sampleRate: 48_000, description };
  for (let index = 0; index < packets; index += 1)
    await source.add(new EncodedPacket(data, "key", index / 1_000, 0.001), { decoderConfig });
  await output.finalize();
  assert.ok(target.buffer !== null);
  return { file: new Uint8Array(target.buffer), contentType: "", fileName: "a" };
}

/** AIFF: 8 kHz, 8 bits, mono; only the header of this format is read. */
function aiff(seconds: number, said: number): Recording {
  const file = Buffer.alloc(54 + seconds * 8_000);
  file.write("FORM", 0, "latin1");
  file.writeUInt32BE(file.length - 8, 4);
  file.write("AIFFCOMM", 8, "latin1");
  file.writeUInt32BE(18, 16);
  file.writeUInt16BE(1, 20);
  file.writeUInt32BE(said * 8_000, 22);
  file.writeUInt16BE(8, 26);
  file.write("400bfa00000000000000", 28, "hex");
  file.write("SSND", 38, "latin1");
  file.writeUInt32BE(8 + seconds * 8_000, 42);
  return { file, contentType: "audio/aiff", fileName: "a.aiff" };
}

/** Starts of MP3 frames without any frame: every second byte is examined. */
function endless(): Recording {
  return { file: Buffer.alloc(4 * 1024 * 1024, "ffe0", "hex"), contentType: "audio/mpeg", fileName: "a.mp3" };
}

/** A thread that answers with the number in the recording's name, but never for `endless`. */
function startCopyist(): Worker {
  const code = `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ fileName }) => { if (fileName !== "endless") parentPort.postMessage({ length: { seconds: Number(fileName) } }); });
    parentPort.postMessage("ready");`;
  return new Worker(code, { eval: true });
}
/** Length of a WAV file with a correct header, whose bytes count as a few milliseconds. */
const of = (seconds: number) => ({ seconds, mostSeconds: seconds + 44 / 8_000 });
const named = (fileName: string): Recording => ({ file: Buffer.from("-"), contentType: "", fileName });

/** Timeout that no machine reaches. */
const PATIENT_MS = 60_000;

describe("measuring recordings in a thread", () => {
  it("returns lengths within the time limit, in another thread", async () => {
    const measure = createMeasureRecording();
    let loops = 0;
    let isOver = false;
    const measured = Promise.all([
      measure(wav(3), connected(1)),
      measure(endless(), connected(1)),
      measure(wav(4), connected(1)),
    ]);
    void measured.finally(() => (isOver = true));
    for (; !isOver; loops += 1) await nextTurn();
    assert.deepEqual(await measured, [of(3), undefined, of(4)]);
    assert.ok(loops > 1_000, `${loops} turns of the event loop`);
  });

  it("ignores headers that declare less than the frames", async () => {
    const measure = createMeasureRecording(undefined, PATIENT_MS);
    const [ofMp3, ofWav, ofAiff] = await Promise.all([
      measure(mp3(5_000), connected(1)),
      measure(wav(100, 1), connected(1)),
      measure(aiff(100, 1), connected(1)),
    ]);
    assert.ok(ofMp3 !== undefined && ofMp3.seconds > 119 && ofMp3.seconds < 121, JSON.stringify(ofMp3));
    assert.equal(ofWav?.seconds, 1);
    assert.ok(Math.abs((ofWav.mostSeconds ?? 0) - 100) < 0.1, JSON.stringify(ofWav));
    assert.deepEqual(ofAiff, { seconds: 1, mostSeconds: undefined });
  });

  it("measures packets by their content, not by timestamps", async () => {
    const measure = createMeasureRecording();
    for (const format of [new WebMOutputFormat(), new Mp4OutputFormat()]) {
      const length = await measure(await hurried(format, 3_000), connected(1));
      assert.ok(Math.abs((length?.seconds ?? 0) - 60) < 0.2, JSON.stringify(length));
      const long = await measure(await hurried(format, 14_000), connected(1));
      assert.equal(long?.mostSeconds, undefined, "only the size bounds a track that is not read completely");
    }
  });

  it("counts trailing bytes as another recording of small size", async () => {
    const measure = createMeasureRecording();
    const quiet = mp3(5_000);
    const loud = Buffer.alloc(960);
    loud.set([0xff, 0xfb, 0xe4, 0xc4]);
    const both = await measure({ ...quiet, file: Buffer.concat([loud, loud, loud, loud, quiet.file]) }, connected(1));
    assert.ok((both?.mostSeconds ?? 0) >= 110, JSON.stringify(both));
  });

  it("returns undefined for other files, and continues", async () => {
    const measure = createMeasureRecording();
    const nothing = { file: Buffer.from("no recording"), contentType: "audio/wav", fileName: "a.wav" };
    assert.deepEqual(await Promise.all([measure(nothing, connected(1)), measure(wav(2), connected(1))]), [
      undefined,
      of(2),
    ]);
  });

  it("serves accounts round-robin", async () => {
    const measure = createMeasureRecording(startCopyist);
    const order: (number | undefined)[] = [];
    const measured = [
      measure(named("1"), connected(1)),
      measure(named("2"), connected(1)),
      measure(named("3"), connected(1)),
    ];
    measured.push(measure(named("9"), connected(2)));
    await Promise.all(measured.map((each) => each.then((length) => order.push(length?.seconds))));
    assert.deepEqual(order, [1, 2, 9, 3]);
  });

  it("limits the queue of an account, skips disconnected callers, and stops after the time limit", async () => {
    const measure = createMeasureRecording(startCopyist, 500);
    let isConnected = true;
    const first = measure(named("endless"), connected(1));
    const gone = Array.from({ length: 32 }, () =>
      measure(named("endless"), { userId: 1, isConnected: () => isConnected }),
    );
    await assert.rejects(measure(named("5"), connected(1)), { status: 429, code: "too_many_recordings" });
    const other = measure(named("6"), connected(2));
    isConnected = false;
    const late = measure(named("5"), connected(1));
    const lengths = await Promise.all([first, other, late]);
    assert.deepEqual(
      lengths.map((length) => length?.seconds),
      [undefined, 6, 5],
    );
    assert.equal(gone.length, 32);
  });
});

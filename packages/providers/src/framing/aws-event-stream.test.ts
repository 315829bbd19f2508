import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { crc32 } from "node:zlib";
import { EventStreamCodec } from "@smithy/core/event-streams";
import { AWS_EVENT_STREAM, BROKEN_MESSAGE } from "./aws-event-stream.ts";
import { EventTooLongError, MAX_EVENT_BYTES } from "./event-splitter.ts";

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(typeof bytes === "string" ? bytes : bytes).toString(),
  (text) => Buffer.from(text),
);

function message(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: "string", value }] as const);
  const other = {
    ":date": { type: "timestamp", value: new Date(0) },
    ":flag": { type: "boolean", value: true },
  } as const;
  return Buffer.from(codec.encode({ headers: { ...other, ...Object.fromEntries(typed) }, body: Buffer.from(payload) }));
}

const text = message({ ":message-type": "event", ":event-type": "contentBlockDelta" }, '{"text":"ü"}');
const stop = message({ ":message-type": "event", ":event-type": "messageStop" }, "{}");
const exception = message(
  { ":message-type": "exception", ":exception-type": "throttlingException" },
  '{"message":"slow"}',
);
const error = message({ ":message-type": "error", ":error-code": "error", ":error-message": "gone" }, "");

function prelude(length: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  return bytes;
}

function read(...chunks: readonly Buffer[]) {
  const splitter = AWS_EVENT_STREAM.splitter();
  const messages = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.flush();
  return [...messages, ...(rest.length > 0 ? [rest] : [])].map((event) => AWS_EVENT_STREAM.readEvent(event));
}

describe("Amazon's event stream", () => {
  it("is read as AWS writes it, for any split of its bytes", () => {
    const bytes = Buffer.concat([text, exception, error]);
    const told = [
      { name: "contentBlockDelta", data: '{"text":"ü"}' },
      { name: "throttlingException", data: '{"message":"slow"}' },
      { name: "error", data: '{"message":"gone"}' },
    ];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      assert.deepEqual(read(bytes.subarray(0, cut), bytes.subarray(cut)), told, `cut at ${cut}`);
    }
    assert.deepEqual(read(...Array.from(bytes, (byte) => Buffer.from([byte]))), told);
  });

  it("reports every damaged byte and a truncated message", () => {
    for (let at = 0; at < text.length; at += 1) {
      const damaged = Buffer.from(text);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const names = read(stop, damaged).map(({ name }) => name);
      assert.deepEqual(names, ["messageStop", BROKEN_MESSAGE], `byte ${at}`);
    }
    for (let length = 1; length < text.length; length += 1) {
      assert.deepEqual(
        read(text.subarray(0, length)).map(({ name }) => name),
        [BROKEN_MESSAGE],
      );
    }
  });

  it("refuses an oversized message by its stated length", () => {
    assert.deepEqual(AWS_EVENT_STREAM.splitter().push(prelude(MAX_EVENT_BYTES)), []);
    assert.throws(() => AWS_EVENT_STREAM.splitter().push(prelude(MAX_EVENT_BYTES + 1)), EventTooLongError);
  });
});

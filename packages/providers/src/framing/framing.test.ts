import assert from "node:assert/strict";
import { describe, it, mock, test } from "node:test";
import { crc32 } from "node:zlib";
import { AWS_EVENT_STREAM } from "./aws-event-stream.ts";
import { EventTooLongError, MAX_EVENT_BYTES } from "./event-splitter.ts";
import { type Framing, JSON_LINES, SERVER_SENT_EVENTS, WHOLE_DOCUMENT } from "./framing.ts";

const lines = ['{"a":"ü"}\n', "\n", '{"b":2}\r\n', '{"c":3}'];
const bytes = Buffer.from(lines.join(""));
const MIB = 1024 * 1024;

test("lines are whole for any split of their bytes", () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const splitter = JSON_LINES.splitter();
    const events = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut)), splitter.flush()];
    const said = events.map((event) => JSON_LINES.readEvent(event).data);
    assert.deepEqual(said, ['{"a":"ü"}', "", '{"b":2}', '{"c":3}'], `cut at ${cut}`);
  }
});

test("a line and a document that never end are refused", () => {
  for (const framing of [JSON_LINES, WHOLE_DOCUMENT]) {
    const splitter = framing.splitter();
    splitter.push(Buffer.alloc(MAX_EVENT_BYTES, "x"));
    assert.throws(() => splitter.push(Buffer.from("x")), EventTooLongError);
  }
});

function awsMessage(payload: Buffer): Buffer {
  const message = Buffer.concat([Buffer.alloc(12), payload, Buffer.alloc(4)]);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

const payload = Buffer.alloc(4 * MIB, "x");
const LONG: Readonly<Record<string, readonly [Framing, Buffer]>> = {
  "server-sent events": [SERVER_SENT_EVENTS, Buffer.concat([Buffer.from("data: "), payload, Buffer.from("\n\n")])],
  "JSON lines": [JSON_LINES, Buffer.concat([payload, Buffer.from("\n")])],
  "Amazon's event stream": [AWS_EVENT_STREAM, awsMessage(payload)],
};

describe("a long event in many chunks", () => {
  for (const [name, [framing, event]] of Object.entries(LONG)) {
    it(`is copied a constant number of times in ${name}`, () => {
      const allocated = [mock.method(Buffer, "allocUnsafeSlow"), mock.method(Buffer, "allocUnsafe")];
      const joined = mock.method(Buffer, "concat");
      const splitter = framing.splitter();
      const events: Buffer[] = [];
      for (let at = 0; at < event.length; at += 4_096) events.push(...splitter.push(event.subarray(at, at + 4_096)));
      const results = [...allocated, joined].flatMap(({ mock: { calls } }) =>
        calls.map(({ result }) => result?.length),
      );
      mock.restoreAll();
      assert.deepEqual(events, [event]);
      // Memory is allocated for copies alone.
      const copied = results.reduce<number>((sum, length = 0) => sum + length, 0);
      assert.ok(copied < 8 * event.length, `${copied / MIB} MiB copied`);
    });
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { EventTooLongError } from "./event-splitter.ts";
import { JSON_LINES } from "./framing.ts";

const lines = ['{"a":"ü"}\n', "\n", '{"b":2}\r\n', '{"c":3}'];
const bytes = Buffer.from(lines.join(""));

test("lines come out whole, wherever their bytes are cut", () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const splitter = JSON_LINES.splitter(undefined);
    const events = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut)), splitter.flush()];
    const said = events.map((event) => JSON_LINES.readEvent(event).data);
    assert.deepEqual(said, ['{"a":"ü"}', "", '{"b":2}', '{"c":3}'], `cut at ${cut}`);
  }
});

test("a line that never ends is refused", () => {
  const splitter = JSON_LINES.splitter(10);
  splitter.push(Buffer.from("12345"));
  assert.throws(() => splitter.push(Buffer.from("6789012")), EventTooLongError);
});

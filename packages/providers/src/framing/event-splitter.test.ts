import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { EventSplitter, EventTooLongError } from "./event-splitter.ts";

function splitAll(chunks: readonly Buffer[]): string[] {
  const splitter = new EventSplitter();
  const events = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.flush();
  return [...events, ...(rest.length > 0 ? [rest] : [])].map(String);
}

function dataOf(events: readonly string[]): string[] {
  return events.map((event) => event.replace(/^[\r\n]+|[\r\n]+$/g, "")).filter((event) => event !== "");
}

describe("EventSplitter", () => {
  it("cuts at empty lines whether lines end in LF, CRLF or CR", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = `data: 1${end}${end}data: 2${end}data: 3${end}${end}`;
      assert.deepEqual(dataOf(splitAll([Buffer.from(text)])), ["data: 1", `data: 2${end}data: 3`]);
    }
  });

  it("returns the same events for any split, inside multi-byte letters too", () => {
    const pieces = fc.array(fc.constantFrom("data: é汉😀", "data: [DONE]", ": ping", "event: x", ""), {
      maxLength: 12,
    });
    const ends = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(pieces, ends, fc.array(fc.nat(400), { maxLength: 20 }), (lines, end, cuts) => {
        const bytes = Buffer.from(lines.map((line) => line + end + end).join(""));
        const points = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...points].map((from, index) => bytes.subarray(from, points[index] ?? bytes.length));
        assert.deepEqual(dataOf(splitAll(chunks)), dataOf(splitAll([bytes])));
        assert.equal(splitAll(chunks).join(""), bytes.toString());
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds the last event with mixed line ends", () => {
    const ends = fc.constantFrom("\n\n", "\r\n\r\n", "\r\r", "\n\r\n", "\r\n\n");
    fc.assert(
      fc.property(fc.array(ends, { minLength: 1, maxLength: 8 }), (used) => {
        const splitter = new EventSplitter();
        const whole = used.map((end, at) => `data: ${at}${end}`).join("");
        // The next bytes show that the CR alone ended the line.
        assert.equal(splitter.take(Buffer.from(`${whole}data`)).toString(), whole);
        assert.equal(splitter.flush().toString(), "data");
      }),
    );
  });

  it("does not retain a long chunk for an event that begins at its end", () => {
    const splitter = new EventSplitter();
    splitter.take(Buffer.from(`${"data: 1\n\n".repeat(10_000)}data: 2`));
    assert.equal(splitter.flush().buffer.byteLength, "data: 2".length);
  });

  it("accepts an event with a picture of 25 MB in base64", () => {
    const splitter = new EventSplitter();
    const picture = Buffer.alloc(Math.ceil(25_000_000 / 3) * 4, "x");
    assert.deepEqual(splitter.push(picture), []);
    const [event] = splitter.push(Buffer.from("\n\n"));
    assert.equal(event?.length, picture.length + 2);
  });

  it("refuses an event beyond 40 MiB instead of storing it", () => {
    const splitter = new EventSplitter();
    assert.throws(() => {
      for (let part = 0; part <= 40; part += 1) splitter.push(Buffer.alloc(1024 * 1024, "x"));
    }, EventTooLongError);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { LineTooLongError, splitLines } from "./split-lines.ts";

async function linesOf(text: string, pieceBytes: number, mostBytes = 100): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  }
  const lines: string[] = [];
  for await (const line of splitLines(pieces(), mostBytes)) lines.push(line.toString());
  return lines;
}

test("lines do not depend on the chunks, and blank ones are skipped", async () => {
  const text = '{"a":"ä"}\n\r\n{"b":1}\r\n \t\n{"c":2}';
  for (let pieceBytes = 1; pieceBytes <= 40; pieceBytes += 1)
    assert.deepEqual(await linesOf(text, pieceBytes), ['{"a":"ä"}', '{"b":1}\r', '{"c":2}']);
  assert.deepEqual(await linesOf("", 1), []);
  assert.deepEqual(await linesOf("one\n", 2), ["one"]);
});

test("a line that is too long is refused before it is complete", async () => {
  const tooLong = (line: number) => (error: unknown) => error instanceof LineTooLongError && error.line === line;
  assert.deepEqual(await linesOf("12345\n12345", 3, 5), ["12345", "12345"]);
  await assert.rejects(linesOf("12345\n123456", 3, 5), tooLong(2));
  await assert.rejects(linesOf("123456\n1", 100, 5), tooLong(1));
  async function* endless() {
    for (;;) yield Buffer.alloc(1_000, "x");
  }
  await assert.rejects(splitLines(endless(), 10_000).next(), tooLong(1));
});

test("reading a file yields to other work", async () => {
  async function* allAtOnce() {
    yield Buffer.from("a line\n".repeat(200_000));
  }
  let loops = 0;
  const count = (): void => {
    loops += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  let lines = 0;
  for await (const { length } of splitLines(allAtOnce(), 100)) lines += Math.sign(length);
  clearImmediate(next);
  assert.equal(lines, 200_000);
  assert.ok(loops > 5, `${loops} loops`);
});

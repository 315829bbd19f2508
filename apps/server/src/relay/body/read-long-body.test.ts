import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TimeSlices } from "../../platform/work/time-slices.ts";
import { RelayError } from "../errors/index.ts";
import { readBody } from "./parse-request.ts";
import { isLong, readLongBody } from "./read-long-body.ts";

const MEBIBYTE = 1024 * 1024;

/** Turns of the event loop until the body is read, and the result. */
async function read(text: string | Buffer) {
  const bytes = Buffer.from(text);
  let loops = 0;
  let isRead = false;
  const count = (): void => {
    loops += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  try {
    const body = await readLongBody(bytes, new TimeSlices(), () => true);
    assert.deepEqual([body.outline, body.fields], [readBody(bytes).outline, readBody(bytes).fields]);
    return { loops, refusal: "" };
  } catch (error) {
    assert.ok(error instanceof RelayError);
    assert.throws(() => readBody(bytes), { message: error.message });
    return { loops, refusal: error.message };
  } finally {
    isRead = true;
  }
}

const withContent = (content: string) => `{"model":"m","messages":[{"role":"user","content":"${content}"}],"n":1}`;

describe("a long body", () => {
  for (const [what, letters] of [
    ["escapes", "\\u0041"],
    ["quotes", '\\"'],
    ["backslashes", "\\\\"],
  ] as const) {
    it(`equals a short body and yields to other work: ${what}`, async () => {
      const text = withContent(letters.repeat((4 * MEBIBYTE) / letters.length));
      assert.ok((await read(text)).loops >= 32);
    });
  }

  it("is read in slices if few bytes contain many objects", async () => {
    const text = `{"model":"m","messages":[${"{},".repeat(49_000)}{}]}`;
    assert.ok(isLong(Buffer.from(text)));
    assert.ok((await read(text)).loops >= 3);
  });

  it("is read at once if it is mostly one text of some hundred KiB", () => {
    const bytes = Buffer.from(withContent("x".repeat(200 * 1024)));
    assert.ok(!(readLongBody(bytes, new TimeSlices(), () => true) instanceof Promise));
  });

  it("may have characters of any length at a slice's end", async () => {
    for (const space of ["", " ", "  ", "   "]) {
      assert.equal((await read(space + withContent("😀é文".repeat(MEBIBYTE / 4)))).refusal, "");
    }
  });

  it("is refused like a short one", async () => {
    const broken = Buffer.from(withContent("é".repeat(MEBIBYTE)));
    broken[MEBIBYTE + 1] = 0x80;
    assert.match((await read(broken)).refusal, /UTF-8/);
    assert.match((await read(withContent("x".repeat(MEBIBYTE)).slice(0, -1))).refusal, /not a valid JSON object/);
    assert.match((await read(`{"messages":[${"[1],".repeat(100_000)}1]}`)).refusal, /50000 texts/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RelayError } from "../errors/index.ts";
import { parseInPieces } from "./outline-pieces.ts";
import { outlineOf } from "./outline.ts";
import { type ScannedObject, scanBody } from "./scan-body.ts";

const limits = { values: 1e6, compounds: 1e6, wholeBytes: 0, outlineBytes: 1e9, elidedFields: new Set(["a", "cut"]) };

const scan = (bytes: Buffer, pieceBytes: number): ScannedObject => scanBody(bytes, { ...limits, pieceBytes });

function inPieces(bytes: Buffer, scanned: ScannedObject): unknown {
  const pieces = parseInPieces(bytes, scanned);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Result with the order of its names; undefined if refused. */
function read(make: () => unknown): string | undefined {
  try {
    return JSON.stringify(make());
  } catch (error) {
    assert.ok(error instanceof RelayError || error instanceof SyntaxError, String(error));
    return undefined;
  }
}

const names = fc.oneof(
  fc.constantFrom("a", "cut", "", "__proto__", "constructor", "7", "10", '"', "é\n"),
  fc.nat().map((number) => `${number}`.padEnd(280, "n")),
  // V8 takes a name of one escape for a backslash if such a name was at this position before.
  fc.string({ maxLength: 5, unit: "binary" }).filter((name) => !name.includes("\\")),
);
const body = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(fc.string({ maxLength: 40 }), fc.string({ minLength: 250, maxLength: 400, unit: "grapheme" })),
    fc.double({ noNaN: true }),
    fc.constantFrom(true, false, null, 0, "", "]", "},{"),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("any"), { maxLength: 8 }),
  object: fc.dictionary(names, tie("any"), { maxKeys: 8 }),
})).object;
const spaces = fc.constantFrom(undefined, 1, "\t", " ".repeat(10));
const pieceBytes = fc.constantFrom(1, 7, 50, 300);

describe("a body parsed in pieces", () => {
  it("equals the body parsed at once, for any values and piece ends", () => {
    fc.assert(
      fc.property(body, spaces, pieceBytes, (object, space, most) => {
        const bytes = Buffer.from(JSON.stringify(object, undefined, space));
        const scanned = scan(bytes, most);
        assert.equal(
          read(() => inPieces(bytes, scanned)),
          read(() => JSON.parse(outlineOf(bytes, scanned))),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("is refused exactly if the whole is, after random edits", () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      less: fc.integer({ min: 0, max: 2 }),
      more: fc.constantFrom(
        "",
        ",",
        " , ",
        ",,",
        "[",
        "]",
        "{",
        "}",
        ":",
        '"',
        "[]",
        "{}",
        "{,",
        "[,",
        ",]",
        ',"a":1',
        "0",
        "x",
      ),
    });
    fc.assert(
      fc.property(body, spaces, pieceBytes, fc.array(change, { maxLength: 2 }), (object, space, most, changes) => {
        let text = JSON.stringify(object, undefined, space);
        for (const { at, less, more } of changes) {
          const index = Math.floor(at * text.length);
          text = text.slice(0, index) + more + text.slice(index + less);
        }
        const bytes = Buffer.from(text);
        let scanned: ScannedObject;
        try {
          scanned = scan(bytes, most);
        } catch {
          return;
        }
        assert.equal(
          read(() => inPieces(bytes, scanned)),
          read(() => JSON.parse(outlineOf(bytes, scanned))),
          text,
        );
      }),
      { numRuns: 400 },
    );
  });

  for (const [what, text] of [
    ["a comma too many", '{"a":[1,2,3,4,,5,6]}'],
    ["a comma too many with space around it", '{"a":[1,2,3,4,  ,5,6]}'],
    ["a comma at the beginning", '{"a":[1,2,[ ,3,4]]}'],
    ["a comma at the end of a list", '{"a":[1,2,[3, ],4]}'],
    ["a comma at the end of an object", '{"a":[1,2,{"b":3, }]}'],
    ["the wrong bracket", '{"a":[1,2,{"b":3,"c":4],5]}'],
    ["a name in a list", '{"a":[1,2,"b":3,4]}'],
    ["a value without a name", '{"a":{"b":1,2,"c":3}}'],
  ] as const) {
    it(`is refused for ${what}`, () => {
      const bytes = Buffer.from(text);
      for (const most of [1, 3, 8, 1_000]) {
        assert.throws(() => inPieces(bytes, scan(bytes, most)), { name: "RelayError", status: 400 });
      }
    });
  }

  it("splits nested lists, names and objects into pieces of limited size", () => {
    for (const text of [
      `{"x":[${"1,".repeat(5_000)}1]}`,
      `{"x":{${Array.from({ length: 2_000 }, (_, index) => `"${index}":1`).join()}}}`,
      `{"x":[${'{"a":[[{"b":1}]]},'.repeat(1_000)}1]}`,
      `{"cut":["${"x".repeat(400)}"${`, "${"x".repeat(400)}"`.repeat(500)}]}`,
    ]) {
      const bytes = Buffer.from(text);
      const scanned = scan(bytes, 500);
      let from = 0;
      for (const { at } of [...scanned.pieceEnds, { at: bytes.length }]) {
        const elided = scanned.elisions.filter(({ start }) => start >= from && start < at);
        const outlineBytes =
          at - from - elided.reduce((sum, { start, end }) => sum + end - start, 0) + elided.length * 64;
        assert.ok(outlineBytes < 600, `${outlineBytes}`);
        from = at;
      }
      assert.ok(scanned.pieceEnds.length >= 15, `${scanned.pieceEnds.length}`);
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listOf, recordOf } from "@one-api/providers/shared/json-fields";
import fc from "fast-check";
import { RelayError } from "../errors/index.ts";
import { readBody } from "./parse-request.ts";
import { beginningInBody, lengthInBody, outlineOf } from "./outline.ts";
import { BodyScan, type ScanLimits, scanBody } from "./scan-body.ts";

const LIMITS = {
  values: 1_000,
  compounds: 100,
  wholeBytes: 0,
  outlineBytes: 100_000,
  pieceBytes: 100,
  elidedFields: new Set(["a", "b"]),
};
const MIB = 1024 * 1024;

function refusal(text: string | Buffer): RelayError {
  try {
    readBody(Buffer.from(text));
  } catch (error) {
    assert.ok(error instanceof RelayError, String(error));
    assert.equal(error.status, 400);
    return error;
  }
  throw new Error(`nothing was refused in ${text.slice(0, 80).toString()}`);
}

describe("a scan", () => {
  it("distinguishes names that resemble the frequent ones", () => {
    const names = [
      "model",
      "modes",
      "mode",
      "models_",
      "messages",
      "metadata",
      "n",
      "m",
      "top_p",
      "top_k",
      "",
      "mödel",
    ];
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    assert.deepEqual([...readBody(Buffer.from(JSON.stringify(body))).fields.keys()], names);
  });

  it("finds the span of every top-level value and elides only long texts", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ minLength: 200, maxLength: 600, unit: "grapheme" }),
    );
    // V8 takes names with escapes for names with backslashes that it has parsed before, see below.
    const names = fc.string({ unit: "binary", maxLength: 60 }).filter((name) => !name.includes("\\"));
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, texts, fc.double({ noNaN: true }), fc.boolean(), tie("list"), tie("object")),
      list: fc.array(tie("any"), { maxLength: 5 }),
      object: fc.dictionary(names, tie("any"), { maxKeys: 5 }),
    })).object;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, "\t", " ".repeat(10)), (object, space) => {
        const bytes = Buffer.from(JSON.stringify(object, undefined, space));
        const elidedFields = new Set(Object.keys(object).slice(0, 2));
        const limits = { values: 1e6, compounds: 1e6, wholeBytes: 0, outlineBytes: 1e9, pieceBytes: 50, elidedFields };
        const scanned = scanBody(bytes, limits);
        for (const sliceBytes of [1, 50, 300]) assert.deepEqual(scanInSlices(bytes, limits, sliceBytes), scanned);
        const found = Object.fromEntries(
          [...scanned.fields].map(([name, span]) => [name, JSON.parse(bytes.toString("utf8", span.start, span.end))]),
        );
        const whole: unknown = JSON.parse(bytes.toString());
        assert.deepEqual(found, whole);
        compare(JSON.parse(outlineOf(bytes, scanned)), whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads texts with escapes at any place", () => {
    for (let before = 0; before < 140; before += 1) {
      for (const rest of ['\\"', "\\\\", '\\\\\\"', "\\n".repeat(50), `${"y".repeat(60)}\\"`, ""]) {
        const text: unknown = JSON.parse(`"${"x".repeat(before)}${rest}"`);
        const bytes = Buffer.from(JSON.stringify({ a: text, b: [text, { c: text }], d: 1 }));
        const { fields } = scanBody(bytes, LIMITS);
        assert.deepEqual([...fields.keys()], ["a", "b", "d"]);
        assert.equal(bytes.toString("utf8", fields.get("d")?.start, fields.get("d")?.end), "1");
      }
    }
  });

  it("refuses anything but a complete object", () => {
    for (const text of [
      "",
      "[1]",
      "1",
      "{",
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":"',
      '{"a":"\\',
      '{"a":[',
      '{"a":1}}',
      '{"a":1} x',
      '{"a" 1}',
    ]) {
      assert.equal(refusal(text).code, "invalid_json", text);
    }
    assert.match(refusal(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])).message, /UTF-8/);
    assert.match(refusal('{"a":[1}').message, /not a valid JSON object/);
    assert.match(refusal('{"a":tru}').message, /not a valid JSON object/);
  });

  it("refuses a repeated field in any spelling, and names it", () => {
    for (const text of ['{"model":"a","mod\\u0065l":"b"}', '{"n":1,"n":1}', '{"":1,"":2}']) {
      assert.match(refusal(text).message, /twice/);
    }
    assert.equal(refusal('{"model":"a","mod\\u0065l":"b"}').param, "model");
  });

  it("refuses a known field in another case, and says how it is written", () => {
    for (const [name, known] of [
      ["MODEL", "model"],
      ["Max_Tokens", "max_tokens"],
      ["\\u004dodel", "model"],
      ["max_to\u212aens", "max_tokens"],
      ["me\u017f\u017fages", "messages"],
    ] as const) {
      const error = refusal(`{"model":"a","${name}":1}`);
      assert.match(error.message, new RegExp(`Write it as ${known}`));
    }
    assert.equal(readBody(Buffer.from('{"Temperature":1,"X":2}')).fields.size, 2);
  });

  it("refuses nesting beyond 128, numbers beyond 1,024 digits and fields beyond 1,000", () => {
    assert.match(refusal(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`).message, /deeper than 128/);
    assert.match(refusal(`{"a":${"[".repeat(30 * MIB)}`).message, /deeper than 128/);
    assert.match(refusal(`{"a":[${"1".repeat(MIB)}]}`).message, /digits/);
    assert.match(
      refusal(`{${Array.from({ length: 1_001 }, (_, index) => `"k${index}":1`).join()}}`).message,
      /1000 fields/,
    );
    const deep = `{"a":${"[".repeat(128)}${"]".repeat(128)}}`;
    assert.equal(readBody(Buffer.from(deep)).fields.size, 1);
    assert.match(refusal(`{"a":${"[".repeat(129)}${"]".repeat(129)}}`).message, /deeper than 128/);
  });

  it("refuses too many values before parsing", () => {
    const list = (item: string, count: number) => `{"a":[${`${item},`.repeat(count - 1)}${item}]}`;
    assert.match(refusal(list("1", 500_001)).message, /500000 values/);
    for (const item of ["[]", "{}", '""', "[[]]"]) assert.match(refusal(list(item, 50_001)).message, /50000 texts/);
    const names = Array.from({ length: 50_001 }, (_, index) => `"${index}":1`).join();
    assert.match(refusal(`{"a":{${names}}}`).message, /50000 texts/);
    assert.equal(readBody(Buffer.from(list("1", 400_000))).fields.size, 1);
  });

  it("refuses a large body that is not mostly long texts", () => {
    assert.match(refusal(`{"a":[${`"${"x".repeat(250)}",`.repeat(40_000)}1]}`).message, /short texts/);
    assert.match(refusal(`{"a":[${`${" ".repeat(250)}1,`.repeat(40_000)}1]}`).message, /white space/);
  });
});

describe("names with escapes", () => {
  /** V8 takes a name with escapes for an earlier name whose letters are its raw beginning. */
  const before = (name: string) => Buffer.from(JSON.stringify({ first: 0, [name]: 1 }));

  it("are read correctly after any other bodies", () => {
    readBody(before("\\"));
    const read = readBody(Buffer.from('{"first":0,"\\u006e" :128,"x":{"\\u0061\\"":[{"\\n":1}]}}'));
    assert.deepEqual(read.json, { first: 0, n: 128, x: { 'a"': [{ "\n": 1 }] } });
    assert.equal(read.outline, read.json);
    readBody(before("\\u0066il"));
    const file = readBody(Buffer.from('{"a":[{"first":0,"\\u0066ileData":{"fileUri":"x"}}]}'));
    assert.deepEqual(file.json, { a: [{ first: 0, fileData: { fileUri: "x" } }] });
  });

  it("are read correctly in large bodies with long texts", () => {
    readBody(before("\\u0066il"));
    const long = "x".repeat(200_000);
    const text = `{"messages":[{"first":0,"\\u0066ileData":"${long}"},{"${long}\\n":1}],"\\u006e":2}`;
    const { outline, json } = readBody(Buffer.from(text));
    assert.deepEqual(json, { messages: [{ first: 0, fileData: long }, { [`${long}\n`]: 1 }], n: 2 });
    assert.deepEqual(Object.keys(outline), ["messages", "n"]);
    assert.deepEqual(Object.keys(recordOf(listOf(outline["messages"])[0])), ["first", "fileData"]);
  });

  it("are refused if an escape is invalid", () => {
    assert.match(refusal('{"a":{"\\x":1}}').message, /not a valid JSON object/);
    assert.match(refusal('{"\\x":1}').message, /not a valid JSON object/);
  });
});

describe("a scan in slices", () => {
  it("continues within texts, lists and numbers, and ends each slice soon", () => {
    const count = 40_000;
    const values = [`"${'\\"'.repeat(count)}"`, `"${"\\\\".repeat(count)}"`, `[${"12345,".repeat(count)}1]`];
    const bytes = Buffer.from(
      `{"a":[${values.join()}],${values.map((value, index) => `"b${index}":${value}`).join()}}`,
    );
    const limits = { ...LIMITS, values: 1e6, compounds: 1e6, outlineBytes: 1e9 };
    let slices = 0;
    const scanned = scanInSlices(bytes, limits, 1_000, () => (slices += 1));
    assert.deepEqual(scanned, scanBody(bytes, limits));
    assert.ok(slices > (bytes.length / (1_000 + 4_096)) * 0.9, `${slices} slices`);
  });

  it("refuses the same bodies as the whole scan", () => {
    for (const text of [
      '{"a":"x',
      `{"a":[[${"1,".repeat(2_000)}`,
      `{"a":{"b":"${"y".repeat(500)}\\"`,
      '{"a":1,"a":2}',
      "",
    ]) {
      const bytes = Buffer.from(text);
      assert.throws(() => scanInSlices(bytes, LIMITS, 10), RelayError);
    }
  });

  it("stops at too much white space", () => {
    const bytes = Buffer.from(`{"a":[1,${" ".repeat(200_000)}2]}`);
    assert.throws(() => scanBody(bytes, LIMITS), /white space/);
  });
});

/** What a scan finds that stops after so many bytes, again and again. */
function scanInSlices(bytes: Buffer, limits: ScanLimits, sliceBytes: number, onSlice: () => void = () => undefined) {
  const scan = new BodyScan(bytes, limits);
  for (;;) {
    const scanned = scan.advance(sliceBytes);
    if (scanned !== undefined) return scanned;
    onSlice();
  }
}

describe("a large body", () => {
  it("is read without its long texts, and completely on demand", () => {
    const image = `data:image/png;base64,${"A".repeat(MIB)}`;
    const json = {
      model: "m",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: image } }] }],
    };
    const body = readBody(Buffer.from(JSON.stringify(json)));
    assert.ok(JSON.stringify(body.outline).length < 1_000);
    assert.deepEqual(body.json, json);
    assert.equal(body.outline["model"], "m");
  });

  it("is complete outside of the prompt's fields, so no placeholder is sent or shown", () => {
    const long = "x".repeat(MIB);
    const json = { model: long, stream_options: { a: long }, messages: [long] };
    const { outline } = readBody(Buffer.from(JSON.stringify(json)));
    assert.deepEqual([outline["model"], outline["stream_options"]], [long, { a: long }]);
    assert.notDeepEqual(outline["messages"], [long]);
  });

  it("returns the beginning of a text like a short body", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "é", "文", "😀", '"', "\\", "\n", "\u0001"), minLength: 300 });
    fc.assert(
      fc.property(texts, fc.boolean(), fc.integer({ min: 1, max: 290 }), (text, isAscii, units) => {
        const written = JSON.stringify({ messages: [text], user: "x".repeat(100_000) });
        const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
        const bytes = Buffer.from(isAscii ? written.replaceAll(/[^\0-\x7f]/g, escape) : written);
        const { outline } = readBody(bytes);
        const [placeholder] = listOf(outline["messages"]);
        assert.ok(typeof placeholder === "string" && placeholder !== text);
        assert.equal(beginningInBody(placeholder, bytes, units), text.slice(0, units));
      }),
      { numRuns: 300 },
    );
  });

  it("whose long text is malformed is refused when it is read whole", () => {
    const body = readBody(Buffer.from(`{"model":"m","messages":[{"content":"${"x".repeat(MIB)}\n"}]}`));
    assert.throws(() => body.json, RelayError);
  });
});

/** Equals the whole body, except that elided texts are placeholders with their length. */
function compare(outline: unknown, whole: unknown): void {
  if (typeof outline === "string" && typeof whole === "string") {
    if (outline !== whole) assert.ok(lengthInBody(outline) >= whole.length);
  } else if (Array.isArray(outline) && Array.isArray(whole)) {
    assert.equal(outline.length, whole.length);
    for (const [index, item] of outline.entries()) compare(item, whole[index]);
  } else if (isObject(outline) && isObject(whole)) {
    const names = Object.keys(whole).filter((name) => Buffer.byteLength(JSON.stringify(name)) < 250);
    for (const name of names) compare(outline[name], whole[name]);
  } else assert.equal(outline, whole);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

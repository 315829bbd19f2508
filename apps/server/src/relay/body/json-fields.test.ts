import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { editFields, findFields } from "./json-fields.ts";

describe("findFields", () => {
  it("finds the span of every top-level value of any content", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 1, "\t"),
        (object, space) => {
          const bytes = Buffer.from(JSON.stringify(object, undefined, space));
          const fields = findFields(bytes);
          assert.ok(fields);
          const found = Object.fromEntries(
            [...fields].map(([name, span]) => [name, JSON.parse(bytes.toString("utf8", span.start, span.end))]),
          );
          const whole: unknown = JSON.parse(bytes.toString());
          assert.deepEqual(found, whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("refuses repeated fields, deep nesting and non-objects", () => {
    assert.equal(findFields(Buffer.from('{"model":"a","mod\\u0065l":"b"}')), undefined);
    assert.equal(findFields(Buffer.from(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)), undefined);
    assert.equal(findFields(Buffer.from("[1]")), undefined);
    assert.equal(findFields(Buffer.from("")), undefined);
  });
});

describe("editFields", () => {
  it("sets fields and leaves every other byte as it was", () => {
    const body = Buffer.from('{ "model" : "a", "n":1.0, "big": 12345678901234567890 }');
    const fields = findFields(body);
    assert.ok(fields);
    const edited = editFields(
      body,
      fields,
      new Map([
        ["model", '"b"'],
        ["stream_options", '{"include_usage":true}'],
      ]),
    );
    assert.equal(
      edited.toString(),
      '{"stream_options":{"include_usage":true}, "model" : "b", "n":1.0, "big": 12345678901234567890 }',
    );
  });

  it("adds to an empty object, and returns the same bytes without edits", () => {
    const empty = Buffer.from("{}");
    const fields = findFields(empty) ?? new Map();
    assert.equal(editFields(empty, fields, new Map([["a", "1"]])).toString(), '{"a":1}');
    assert.equal(editFields(empty, fields, new Map()), empty);
  });

  it("removes any fields and leaves the bytes of the others", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => name !== "__proto__"),
          fc.jsonValue({ maxDepth: 2 }),
          { maxKeys: 5 },
        ),
        fc.array(fc.nat(4), { maxLength: 3 }),
        fc.constantFrom(undefined, 1),
        (object, picks, space) => {
          const names = Object.keys(object);
          const out = new Set(picks.flatMap((pick) => names[pick] ?? []));
          const bytes = Buffer.from(JSON.stringify(object, undefined, space));
          const edits = new Map<string, string | undefined>([["added ", "1"]]);
          for (const name of out) edits.set(name, undefined);
          const record = z.record(z.string(), z.unknown());
          const entriesOf = (json: Buffer) => new Map(Object.entries(record.parse(JSON.parse(json.toString()))));
          const rest = [...entriesOf(bytes)].filter(([name]) => !out.has(name));
          const edited = editFields(bytes, findFields(bytes) ?? new Map(), edits);
          assert.deepEqual(entriesOf(edited), new Map<string, unknown>([["added ", 1], ...rest]));
        },
      ),
      { numRuns: 500 },
    );
    const body = Buffer.from('{ "model" : "a", "n":1.0 }');
    const without = editFields(body, findFields(body) ?? new Map(), new Map([["model", undefined]]));
    assert.equal(without.toString(), '{ "n":1.0 }');
  });
});

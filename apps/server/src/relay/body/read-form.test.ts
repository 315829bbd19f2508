import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RelayError } from "../errors/index.ts";
import { readForm, withModel } from "./read-form.ts";

const TYPE = "multipart/form-data; boundary=x";
const part = (head: string, content: string) => `--x\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = (name: string, content: string) =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.wav"\r\nContent-Type: audio/wav`, content);
const END = "--x--\r\n";

function refusal(form: string, type = TYPE): string {
  try {
    readForm(Buffer.from(form, "latin1"), type);
  } catch (error) {
    if (error instanceof RelayError) return error.message;
    throw error;
  }
  return assert.fail("it was read");
}

async function writtenBy(form: FormData): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  const sent = new Response(form);
  return { bytes: Buffer.from(await sent.arrayBuffer()), type: sent.headers.get("content-type") ?? "" };
}

describe("readForm", () => {
  it("reads forms of other libraries, with files in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.string().filter((text) => text.isWellFormed() && !/[\r\n]/.test(text)),
        async (content, prompt) => {
          const form = new FormData();
          form.set("file", new File([new Uint8Array(content)], 'so "called".wav', { type: "audio/wav" }));
          form.append("include[]", "a");
          form.append("include[]", "b");
          form.set("prompt", prompt);
          form.set("model", "whisper-1");
          const { bytes, type } = await writtenBy(form);
          const read = readForm(bytes, type);
          const [only] = read.form.files;
          assert.deepEqual(read.json, { "include[]": ["a", "b"], prompt, model: "whisper-1" });
          assert.deepEqual(bytes.subarray(only?.span.start, only?.span.end), Buffer.from(content));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("changes the model's name and nothing else", async () => {
    const form = new FormData();
    form.set("file", new File(["sound"], "a.wav"));
    const { bytes, type } = await writtenBy(form);
    const added = withModel(readForm(bytes, type), "whisper-1");
    assert.equal(added.toString().endsWith(bytes.toString()), true);
    const named = readForm(added, type);
    assert.equal(named.json["model"], "whisper-1");
    const changed = withModel(named, "other");
    assert.equal(changed.toString(), added.toString().replace("whisper-1", "other"));
    assert.equal(withModel(named, "whisper-1"), added);
  });

  it("accepts names without quotes, repeated file names and a missing last line break", () => {
    const dotnet =
      "--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=model\r\n\r\nm\r\n" +
      "--x\r\nContent-Disposition: form-data; name=file; filename=a.wav; filename*=utf-8''a.wav\r\n\r\n123\r\n--x--";
    const { json, form } = readForm(Buffer.from(dotnet), 'multipart/form-data; boundary="x"');
    assert.deepEqual([json, form.files.map(({ fileName }) => fileName)], [{ model: "m" }, ["a.wav"]]);
  });

  it("refuses syntax that servers interpret differently", () => {
    const good = field("model", "m");
    const rows = [
      [good + field("model", "n") + END, /twice/],
      [good + field("MODEL", "n") + END, /Write it as model/],
      [good + field("model[]", "n") + END, /Write it as model/],
      [good + file("model", "n") + END, /twice/],
      [`preamble\r\n${good}${END}`, /begin with its boundary/],
      [`${good}--x--\r\n${good}`, /follows/],
      [good, /ends before|holds something else/],
      [`${good}--xy\r\n\r\n${END}`, /holds something else/],
      [file("file", "sound\n--x\r\nmore") + END, /inside of a line/],
      [part('Content-Disposition: form-data; name="model"; name="n"', "m") + END, /cannot be read/],
      [
        part('Content-Disposition: form-data; name="model"\r\nContent-Disposition: form-data; name="n"', "m") + END,
        /twice/,
      ],
      [part('Content-Disposition: form-data; name="mo\\"del"', "m") + END, /no name/],
      [part('Content-Disposition: attachment; name="model"', "m") + END, /cannot be read/],
      [
        part('Content-Disposition: form-data; name="model"\r\nContent-Transfer-Encoding: base64', "bQ==") + END,
        /not known/,
      ],
      [part('Content-Disposition: form-data;\r\n name="model"', "m") + END, /not known/],
      [part("Content-Disposition: form-data; name*=utf-8''model", "m") + END, /cannot be read/],
      [part("Content-Disposition: form-data; name=\"x\"; name*=utf-8''n", "10") + END, /cannot be read/],
      [part('Content-Disposition: form-data; name="x"; name*0="n"', "10") + END, /cannot be read/],
      [good + part('Content-Disposition: form-data; name="n"; filename=""', "10") + END, /came as a file/],
      [good + part("Content-Disposition: form-data; name=size; filename*=utf-8''", "10") + END, /came as a file/],
      [`--x\r\n${"X".repeat(5_000)}`, /ends before/],
      [part(`Content-Disposition: form-data; name="a"; filename="${"b".repeat(5_000)}"`, "m") + END, /no head/],
      [field("prompt", "p".repeat(300_000)) + END, /longer than/],
      [field("prompt", "\xff") + END, /UTF-8/],
      [field("a", "b").repeat(2) + END, /twice/],
      [Array.from({ length: 101 }, (_, index) => field(`f${index}`, "")).join("") + END, /more than 100/],
      ["", /begin with its boundary/],
    ] as const;
    for (const [form, message] of rows) assert.match(refusal(form), message, form.slice(0, 200));
    for (const type of [
      "multipart/form-data",
      "multipart/mixed; boundary=x",
      `${TYPE}; boundary=y`,
      `${TYPE}; charset=utf-16`,
      "",
    ]) {
      assert.match(refusal(good + END, type), /one boundary/);
    }
  });

  it("takes linear time for any content", () => {
    const many = Buffer.from(file("file", "\r\n--".repeat(4 * 1024 * 1024)) + END);
    assert.equal(readForm(many, TYPE).form.files.length, 1);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UntranslatableError } from "../chat-request.ts";
import type { MessagePart } from "../message-part.ts";
import { fitMedia } from "./fit-media.ts";

const base64 = (latin1: string) => Buffer.from(latin1, "latin1").toString("base64");
const source = (mediaType: string, data: string) => ({ type: "base64", mediaType, data }) as const;

const PICTURES: Readonly<Record<string, string>> = {
  "image/jpeg": "\xff\xd8\xff\xe0\0\x10JFIF",
  "image/png": "\x89PNG\r\n\x1a\n",
  "image/gif": "GIF89a..",
  "image/webp": "RIFF\x10\0\0\0WEBPVP8 ",
  "image/heic": "\0\0\0\x18ftypheic",
  "image/avif": "\0\0\0\x18ftypavif",
};
const RECORDINGS: Readonly<Record<string, string>> = {
  wav: "RIFF\x10\0\0\0WAVEfmt ",
  mp3: "ID3\x04\0",
  flac: "fLaC\0",
  ogg: "OggS\0",
  aiff: "FORM\0\0\0\x10AIFF",
  m4a: "\0\0\0\x18ftypM4A \0",
};
const NAMES = ["image/jpg", "", "application/octet-stream", "image/png", "IMAGE/JPEG; q=1"];

function typeOf(part: MessagePart): string {
  const fitted = fitMedia(part);
  return (fitted.type === "image" || fitted.type === "file") && fitted.source.type === "base64"
    ? `${fitted.type} ${fitted.source.mediaType}`
    : fitted.type;
}

describe("the media type of a part", () => {
  for (const [type, bytes] of Object.entries(PICTURES)) {
    it(`is ${type} if the bytes are, whatever the declared type and the kind of part`, () => {
      for (const named of NAMES) {
        const image: MessagePart = { type: "image", source: source(named, base64(bytes)) };
        assert.equal(typeOf(image), `image ${type}`);
        const file: MessagePart = { type: "file", name: "", source: source(named, base64(bytes)) };
        assert.equal(typeOf(file), `image ${type}`);
        const result = fitMedia({ type: "tool-result", callId: "c", content: [image], isError: false });
        assert.ok(result.type === "tool-result");
        assert.equal(typeOf(result.content[0] ?? image), `image ${type}`);
      }
    });
  }

  for (const [encoding, bytes] of Object.entries(RECORDINGS)) {
    it(`is that of ${encoding} for a recording, as base64 or as a data URL`, () => {
      for (const data of [base64(bytes), `data:audio/x;base64,${base64(bytes)}`]) {
        assert.deepEqual(fitMedia({ type: "audio", data, encoding: "pcm" }), {
          type: "audio",
          data: base64(bytes),
          encoding,
        });
      }
    });
  }

  it("is that of a document, or of a text if no type is declared and all of it is text", () => {
    const file = (named: string, text: string) =>
      typeOf({ type: "file", name: "", source: source(named, Buffer.from(text).toString("base64")) });
    assert.equal(file("application/octet-stream", "%PDF-1.7 …"), "file application/pdf");
    assert.equal(file("", "Grüße"), "file text/plain");
    assert.equal(file("text/csv; charset=utf-8", "a,b"), "file text/csv");
    assert.equal(file("application/zip", "PK\u0003\u0004"), "file application/zip");
  });

  it("is unchanged if the bytes are unknown, except for synonyms", () => {
    const plain: MessagePart = { type: "image", source: source("image/png", "AAAA") };
    assert.equal(fitMedia(plain), plain);
    assert.equal(typeOf({ type: "image", source: source("image/jpg", "AAAA") }), "image image/jpeg");
  });

  it("refuses a picture with the bytes of another type", () => {
    const pdf: MessagePart = { type: "image", source: source("image/png", base64("%PDF-1.7")) };
    assert.throws(
      () => fitMedia(pdf),
      (error) => error instanceof UntranslatableError && /file/.test(error.message),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failureOf } from "@one-api/providers/failure";
import { readRefusal } from "./read-refusal.ts";

const translation = {
  readError: (status: number, _headers: unknown, text: string) =>
    failureOf(status === 401 ? "bad-credential" : "server-error", status, text),
};
const url = "https://api.example.com/v1/chat/completions?key=sk-secret";

describe("readRefusal", () => {
  it("lets the provider's format read the text", () => {
    const failure = readRefusal(translation, { status: 401, headers: {}, url, text: "Wrong key." });
    assert.deepEqual([failure.kind, failure.status, failure.message], ["bad-credential", 401, "Wrong key."]);
  });

  it("names the target of a redirect without its path and query", () => {
    const headers = { location: "https://login.example.com/start?key=sk-secret" };
    const { kind, message } = readRefusal(translation, { status: 302, headers, url, text: "" });
    assert.equal(kind, "bad-answer");
    assert.match(message, /redirects to https:\/\/login\.example\.com\./);
    assert.doesNotMatch(message, /start|secret/);
  });

  it("takes a compressed answer with a good status for a bad answer", () => {
    const { kind, message } = readRefusal(translation, {
      status: 200,
      headers: { "content-encoding": "gzip" },
      url,
      text: "\u001f\u008b",
    });
    assert.equal(kind, "bad-answer");
    assert.match(message, /compressed \(gzip\)/);
  });

  it("keeps the kind of a compressed refusal and names the compression, not its bytes", () => {
    const headers = { "content-encoding": "br" };
    const { kind, message } = readRefusal(translation, { status: 401, headers, url, text: "\u000b\u0002" });
    assert.equal(kind, "bad-credential");
    assert.match(message, /compressed \(br\)/);
  });

  it("reads an answer that is named uncompressed", () => {
    for (const coding of ["", "identity"]) {
      const headers = { "content-encoding": coding };
      assert.equal(readRefusal(translation, { status: 500, headers, url, text: "Overloaded." }).message, "Overloaded.");
    }
  });
});

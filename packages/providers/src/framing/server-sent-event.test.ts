import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerSentEvent, writeServerSentEvent } from "./server-sent-event.ts";

const read = (text: string) => readServerSentEvent(Buffer.from(text));

test("an event's data lines are joined, and one space after the colon is not data", () => {
  assert.deepEqual(read("event: x\ndata: a\ndata:  b\n\n"), { name: "x", data: "a\n b" });
  assert.deepEqual(read("data:{}\r\n\r\n"), { name: "", data: "{}" });
  assert.deepEqual(read("data\rdata: b\r\r"), { name: "", data: "\nb" });
});

test("a comment has neither name nor data", () => {
  assert.deepEqual(read(": PROCESSING\n\n"), { name: "", data: "" });
});

test("a written event can be read", () => {
  assert.deepEqual(read(writeServerSentEvent("ping", "{}")), { name: "ping", data: "{}" });
  assert.equal(writeServerSentEvent("", "1"), "data: 1\n\n");
});

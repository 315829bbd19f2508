import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatEvent, textOfAnswer, textOfEvent } from "./chat-answer.ts";
import { UntranslatableError } from "./chat-request.ts";
import { readDataUrl } from "./message-part.ts";

test("a data URL is split into its media type and base64; other URLs are not", () => {
  assert.deepEqual(readDataUrl("data:image/png;base64,aGk="), {
    type: "base64",
    mediaType: "image/png",
    data: "aGk=",
  });
  assert.equal(readDataUrl("DATA:Application/PDF;name=a;base64,aGk=")?.mediaType, "application/pdf");
  for (const other of [
    "https://host.example/a.png",
    "data:text/plain,hi",
    "data:image/png;base64",
    `data:${";".repeat(300)},x`,
  ]) {
    assert.equal(readDataUrl(other), undefined, other);
  }
});

test("only generated text is counted, thoughts and arguments included", () => {
  const events: ChatEvent[] = [
    { type: "answer-start", id: "1", model: "m" },
    { type: "reasoning-delta", choice: 0, text: "Hm. " },
    { type: "text-delta", choice: 0, text: "Hi" },
    { type: "tool-call-start", choice: 0, call: 0, id: "c", name: "look" },
    { type: "tool-input-delta", choice: 0, call: 0, text: "{}" },
    { type: "stream-end" },
  ];
  assert.equal(events.map(textOfEvent).join(""), "Hm. Hilook{}");
  const answer = textOfAnswer({
    id: "1",
    model: "m",
    usage: undefined,
    choices: [
      {
        finish: { reason: "stop", stopSequence: "" },
        parts: [
          { type: "reasoning", text: "Hm. ", signature: "s" },
          { type: "text", text: "Hi" },
          { type: "tool-call", id: "c", name: "look", input: "{}" },
          { type: "hidden-reasoning", data: "x" },
        ],
      },
    ],
  });
  assert.equal(answer, "Hm. Hilook{}");
});

test("a translation error names the field", () => {
  assert.equal(new UntranslatableError("thread", "No.").field, "thread");
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskedChat } from "../format-sides.ts";
import type { ChatEvent } from "../neutral/chat-answer.ts";
import { SEAL_MARK } from "../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, listOf } from "../shared/json-fields.ts";
import { eventsOf } from "../testing/answer-reader.ts";
import { claude, fieldThinkers, SIGNATURE, type Thinker, thinkers } from "../testing/thinkers.ts";
import { type ThinkingClient, thinkingClients } from "../testing/thinking-clients.ts";

function encode(asked: AskedChat, events: readonly ChatEvent[], envelope: Parameters<AskedChat["encode"]>[0]) {
  const encoder = asked.encode(envelope);
  const usage = { type: "usage-report" } as const;
  return (
    events
      .filter(({ type }) => type !== usage.type)
      .map((event) => encoder.write(event))
      .join("") + encoder.finish()
  );
}

/** The assistant's message, or the item of its thought, as the provider receives it again. */
function turnOf(body: JsonRecord): JsonRecord {
  const turns = [body.messages, body.contents, body.input].flatMap(listOf).filter(isRecord);
  return turns.find(({ role, type }) => role === "assistant" || role === "model" || type === "reasoning") ?? {};
}

/** Checks which part of the thinker's answer it receives again, whole and streamed. */
function checkThinker(client: ThinkingClient, { name, model, chat, answer, stream, back, expected }: Thinker): void {
  const envelope = { created: 1, reportUsage: false, request: client.request };
  assert.ok(chat.readAnswer !== undefined);
  const decoder = chat.decode();
  const events = stream.flatMap(([event, data]) => decoder.read(event, JSON.stringify(data)));
  const requests = [
    client.next(client.asked.writeAnswer(chat.readAnswer(answer), envelope)),
    client.nextOfStream(eventsOf(encode(client.asked, events, envelope))),
  ];
  for (const [index, request] of requests.entries()) {
    const { body } = chat.writeRequest({ ...client.asked.readRequest(request), model });
    const told = `${name}, ${index === 0 ? "whole" : "streamed"}: ${JSON.stringify(turnOf(body))}`;
    assert.deepEqual(back(turnOf(body)), expected, told);
    assert.equal(JSON.stringify(body).includes(SEAL_MARK), false, told);
  }
}

describe("thoughts return to their provider", () => {
  for (const client of thinkingClients) {
    it(`from a client of ${client.name}, whole and streamed`, () => {
      for (const thinker of thinkers) checkThinker(client, thinker);
    });
  }

  it("in their original field, if the client's API has a field for signatures", () => {
    for (const client of thinkingClients.filter(({ name }) => name !== "chat")) {
      for (const thinker of fieldThinkers) checkThinker(client, thinker);
    }
  });
});

describe("thoughts of another provider", () => {
  it("are dropped if another provider continues the conversation, and no provider receives a seal", () => {
    for (const client of thinkingClients) {
      for (const thinker of thinkers) {
        const envelope = { created: 1, reportUsage: false, request: client.request };
        assert.ok(thinker.chat.readAnswer !== undefined);
        const request = client.next(client.asked.writeAnswer(thinker.chat.readAnswer(thinker.answer), envelope));
        for (const { model, chat, name } of thinkers) {
          const { body } = chat.writeRequest({ ...client.asked.readRequest(request), model });
          const isOwn = name === thinker.name || name === "openrouter" || (name === "aws" && thinker === claude);
          const text = JSON.stringify(body);
          assert.equal(text.includes(SEAL_MARK), false, `${client.name}: ${thinker.name} to ${name}`);
          const isClaudes = /aws|anthropic|openrouter/.test(name) && /aws|anthropic|openrouter/.test(thinker.name);
          if (isOwn || isClaudes || name.startsWith("openai")) continue;
          assert.equal(text.includes(SIGNATURE), false, `${client.name}: ${thinker.name} to ${name}: ${text}`);
        }
      }
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE } from "../../usage.ts";
import { OpenAiStreamMeter } from "./stream-meter.ts";

const meterOf = (passUsage = false) => new OpenAiStreamMeter({ passUsage, countText: (text) => text.length });
const event = (data: unknown) => Buffer.from(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
const delta = (content: string, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const opening = event({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] });
const report = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });

describe("the meter of OpenAI's streams", () => {
  it("takes neither comments nor empty starts for content", () => {
    const meter = meterOf();
    assert.deepEqual(meter.look(Buffer.from(": PROCESSING\n\n")), { kind: "forward" });
    assert.equal(meter.passing(opening, opening.toString("latin1"), 0), 0);
    meter.look(opening);
    assert.equal(meter.sawContent, false);
    meter.look(delta("Hi"));
    assert.equal(meter.sawContent, true);
  });

  it("forwards deltas unread once the answer has begun, and counts them", () => {
    const meter = meterOf();
    meter.look(delta("Hi"));
    const pieces = Buffer.concat([delta(" you"), delta("!")]);
    const events = Buffer.concat([pieces, delta("", "stop"), delta("?")]);
    const text = events.toString("latin1");
    assert.equal(meter.passing(events, text, 0), pieces.length);
    assert.equal(meter.passing(events, text, pieces.length), pieces.length);
    assert.equal(meter.passing(events, text, events.length - delta("?").length), events.length);
    assert.equal(meter.deliveredTokens(), "Hi you!?".length);
  });

  it("counts audio and pictures, and reads the tier, wherever the stream is cut", () => {
    const meter = meterOf();
    meter.look(delta("Hi"));
    const sound = event({ choices: [{ delta: { audio: { data: "A".repeat(64_000) } } }] });
    const picture = event({ choices: [{ delta: { images: [{ image_url: { url: "data:image/png;base64,AA" } }] } }] });
    const fast = event({ model: "gpt-5", service_tier: "priority", choices: [{ delta: { content: "!" } }] });
    for (const one of [fast, sound, picture]) {
      assert.equal(meter.passing(one, one.toString("latin1"), 0), 0, "it is looked at");
      meter.look(one);
    }
    const tier = { priceFactor: 2, namesTier: true, tier: "priority" };
    assert.deepEqual(meter.beside, { audioCompletionTokens: 20, imageCompletionTokens: 1_290, ...tier });
    assert.equal(meter.deliveredTokens(), "Hi!".length);
  });

  it("counts the input of custom tools and unknown text fields, and no metadata", () => {
    const call = { index: 0, id: "call_1", type: "custom", custom: { name: "write", input: "" } };
    const deltas: readonly object[] = [
      { role: "assistant", tool_calls: [call] },
      { tool_calls: [{ index: 0, custom: { input: "alpha" } }] },
      { some_new_field: [{ type: "new", id: "new_1", text: "beta" }] },
      { annotations: [{ url_citation: { title: "no text of the model" } }] },
    ];
    const meter = meterOf();
    for (const one of deltas) {
      const bytes = event({ choices: [{ index: 0, delta: one }] });
      if (meter.passing(bytes, bytes.toString("latin1"), 0) === 0) meter.look(bytes);
      assert.equal(meter.sawContent, true, "the stream goes on to the caller");
    }
    assert.equal(meter.deliveredTokens(), "writealphabeta".length);
  });

  it("parses only the first whole events of a large read, and extrapolates the rest", () => {
    let read = 0;
    const countText = (text: string) => (read = text.length);
    const meter = new OpenAiStreamMeter({ passUsage: false, countText });
    const events = Buffer.concat(Array.from({ length: 10_000 }, () => delta("four")));
    assert.equal(meter.passing(events, events.toString("latin1"), 0), events.length);
    assert.equal(meter.deliveredTokens(), 40_000);
    assert.ok(read < 4_000, `${read} letters were read`);
  });

  it("detects the start of the answer by its first text, and counts earlier events of the same read", () => {
    const meter = meterOf();
    const pieces = Buffer.concat([opening, delta("Hi"), delta(" you")]);
    const events = Buffer.concat([pieces, delta("", "stop")]);
    assert.equal(meter.passing(events, events.toString("latin1"), 0), pieces.length);
    assert.equal(meter.sawContent, true);
    assert.equal(meter.deliveredTokens(), "Hi you".length);
  });

  it("does not mistake quoted text, or text of a remarkable event, for the start of the answer", () => {
    const speaks = event({ note: `"delta":{"content":"Hi"}`, choices: [] });
    const fails = event({ choices: [{ delta: { content: "Hi" } }], error: { message: "overloaded" } });
    for (const events of [speaks, fails]) {
      const meter = meterOf();
      assert.equal(meter.passing(events, events.toString("latin1"), 0), 0);
      assert.equal(meter.sawContent, false);
    }
  });

  it("finds the start of a remarkable event with LF, CRLF and CR line ends", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const meter = meterOf();
      meter.look(delta("Hi"));
      const [piece, usage] = [`data: {"é":1}${end}${end}`, `data: {"choices":[],"usage":{}}${end}${end}`];
      const events = Buffer.from(piece + piece + usage + piece);
      const passing = meter.passing(events, events.toString("latin1"), 0);
      assert.equal(events.toString("utf8", 0, passing), piece + piece, JSON.stringify(end));
    }
  });

  it("withholds a report that the caller has not requested, and reads it", () => {
    assert.deepEqual(meterOf(true).look(report), { kind: "forward" });
    const meter = meterOf();
    assert.deepEqual(meter.look(report), { kind: "drop" });
    assert.deepEqual(meter.usage, { ...NO_USAGE, promptTokens: 3, completionTokens: 2 });
  });

  it("detects the end mark, and the finish reason as the end of the answer", () => {
    const meter = meterOf();
    meter.look(delta("", "stop"));
    assert.equal(meter.finished, true);
    assert.deepEqual(meter.look(event("[DONE]")), { kind: "end" });
  });

  it("ends with any error event", () => {
    const verdict = meterOf().look(event({ error: { message: "Sorry.", type: "server_error" } }));
    assert.equal(verdict.kind === "error" && verdict.failure.kind, "broken-stream");
    const limited = meterOf().look(event({ error: { message: "Slow down.", code: "rate_limit_exceeded" } }));
    assert.equal(limited.kind === "error" && limited.failure.kind, "rate-limited");
  });
});

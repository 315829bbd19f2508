import { expect, test } from "vitest";
import { detail, logOf } from "../testing/serve-logs.tsx";
import { canBeCurl, logAsCurl } from "./log-as-curl.ts";

const ADDRESS = "https://gateway.example";

/** Where the command calls, and with what. */
function readCommand(command: string): { path: string | undefined; body: unknown } {
  const [, path] = /^curl 'https:\/\/gateway\.example([^']*)'/.exec(command) ?? [];
  const body: unknown = JSON.parse(command.slice(command.indexOf("<<'JSON'\n") + 9, command.lastIndexOf("\nJSON")));
  return { path, body };
}

const unitsOf = (unit: "image" | "character" | "second") => ({
  detail: { ...detail, charge: { ...detail.charge, units: { unit, count: 1 } } },
});

test("a kept body is sent as it was, to where its shape belongs", () => {
  const pathOf = (body: object, log = logOf()) => {
    const command = readCommand(logAsCurl(log, ADDRESS, "Hello!", JSON.stringify(body)));
    expect(command.body).toEqual(body);
    return command.path;
  };
  const messages = [{ role: "user", content: "it's `id` $HOME\nJSON\n" }];
  expect(pathOf({ model: "gpt-4o", messages })).toBe("/v1/chat/completions");
  expect(pathOf({ model: "claude", system: "Be brief.", messages })).toBe("/v1/messages");
  expect(pathOf({ messages: [{ role: "user", content: [{ type: "tool_result" }] }] })).toBe("/v1/messages");
  expect(pathOf({ input: "Hi" })).toBe("/v1/responses");
  expect(pathOf({ input: ["a", "b"] }, logOf({ completion_tokens: 0 }))).toBe("/v1/embeddings");
  expect(pathOf({ input: "Hi" }, logOf({ detail: { ...detail, input_only: "moderations" } }))).toBe("/v1/moderations");
  expect(pathOf({ input: "Hi", voice: "alloy" })).toBe("/v1/audio/speech");
  expect(pathOf({ query: "a", documents: ["b"] })).toBe("/v1/rerank");
  expect(pathOf({ prompt: "a cat" }, logOf(unitsOf("image")))).toBe("/v1/images/generations");
  expect(pathOf({ prompt: "Once" })).toBe("/v1/completions");
  expect(pathOf({ contents: [] }, logOf({ is_stream: false }))).toBe("/v1beta/models/gpt-4o:generateContent");
  expect(pathOf({ contents: [] }, logOf({ model_name: "google/gemini:x" }))).toBe(
    "/v1beta/models/google/gemini:x:streamGenerateContent?alt=sse",
  );
});

test("a name with quotes stays within its argument", () => {
  const command = logAsCurl(logOf({ model_name: "a'$(id)" }), ADDRESS, "Hello!", '{"contents":[]}');
  expect(command).toContain(`/v1beta/models/a'\\''%24(id):streamGenerateContent?alt=sse' \\`);
});

test("what was not kept, or is no JSON, is asked with the model and a sample", () => {
  const sample = { model: "gpt-4o", messages: [{ role: "user", content: "Hello!" }], stream: true };
  for (const request of [undefined, "--boundary", '{"model":"gpt-4o"}'])
    expect(readCommand(logAsCurl(logOf(), ADDRESS, "Hello!", request))).toEqual({
      path: "/v1/chat/completions",
      body: sample,
    });
  const picture = readCommand(logAsCurl(logOf(unitsOf("image")), ADDRESS, "Hello!"));
  expect(picture).toEqual({ path: "/v1/images/generations", body: { model: "gpt-4o", prompt: "Hello!" } });
  for (const [asked, body] of [
    ["embeddings", { input: "Hello!" }],
    ["moderations", { input: "Hello!" }],
    ["rerank", { query: "Hello!", documents: ["Hello!"] }],
  ] as const) {
    const command = readCommand(logAsCurl(logOf({ detail: { ...detail, input_only: asked } }), ADDRESS, "Hello!"));
    expect(command).toEqual({ path: `/v1/${asked}`, body: { model: "gpt-4o", ...body } });
  }
});

test("batches, recordings and what is no call have no command", () => {
  const batch = { detail: { ...detail, batch: { lines: 1, failed: 0, factor: 0.5 } } };
  const left = [logOf(batch), logOf(unitsOf("second")), logOf({ type: 1 }), logOf({ model_name: "" })];
  expect([logOf(), ...left].map(canBeCurl)).toEqual([true, false, false, false, false]);
});

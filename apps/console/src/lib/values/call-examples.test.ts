import { expect, test } from "vitest";
import { callExamples } from "./call-examples.ts";

const call = { address: "https://gate.example/v1", model: 'say "hi"', prompt: "It's me" };

test.each([
  ["chat", "/chat/completions", "chat.completions.create"],
  ["embedding", "/embeddings", "embeddings.create"],
  ["image", "/images/generations", "images.generate"],
] as const)("a call of kind %s has its path, its method and the quoted model, and no key", (kind, path, method) => {
  const { curl, Python, JavaScript } = callExamples({ ...call, kind });
  expect(curl).toContain(`https://gate.example/v1${path}`);
  for (const code of [Python, JavaScript]) {
    expect(code).toContain(`client.${method}(`);
    expect(code).toContain('"say \\"hi\\""');
    expect(code).toContain("ONE_API_KEY");
  }
});

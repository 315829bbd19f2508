import { type OpenAI, toFile } from "openai";
import { TEST_MODEL } from "./start-relay-test.ts";

/** A chat request as a line of a batch file. */
export function chatLine(id: string, more: object = {}): object {
  return {
    custom_id: id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: TEST_MODEL, max_tokens: 100, messages: [{ role: "user", content: `hello ${id}` }], ...more },
  };
}

export async function uploadLines(sdk: OpenAI, lines: readonly object[]): Promise<OpenAI.FileObject> {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return sdk.files.create({ file: await toFile(Buffer.from(text), "in.jsonl"), purpose: "batch" });
}

/** Creates a batch of chats. Its metadata tells the stub how to end it. */
export async function makeBatch(
  sdk: OpenAI,
  lines: readonly object[],
  metadata: Record<string, string> = {},
): Promise<{ readonly file: OpenAI.FileObject; readonly batch: OpenAI.Batch }> {
  const file = await uploadLines(sdk, lines);
  const batch = await sdk.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    metadata,
  });
  return { file, batch };
}

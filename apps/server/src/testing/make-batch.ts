import { type OpenAI, toFile } from "openai";
import { TEST_MODEL } from "./start-relay-test.ts";

/** A chat as a line of a batch's file. */
export function chatLine(id: string, more: object = {}): object {
  return {
    custom_id: id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: TEST_MODEL, max_tokens: 100, messages: [{ role: "user", content: `hello ${id}` }], ...more },
  };
}

/** Uploads a file with these lines for a batch. */
export async function uploadLines(sdk: OpenAI, lines: readonly object[]): Promise<OpenAI.FileObject> {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return sdk.files.create({ file: await toFile(Buffer.from(text), "in.jsonl"), purpose: "batch" });
}

/** Makes a batch of chats; its metadata says to the stub how it ends. */
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

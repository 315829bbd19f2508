import { readError } from "@one-api/providers/formats/openai/read-error";
import type { GetJson } from "@one-api/providers/provider";
import { type Dispatcher, request } from "undici";
import { AppError } from "../../core/app-error.ts";
import { toText } from "./open-stream.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/** Builds the getter for questions about a provider's account. Throws `upstream-failed` on anything but JSON with a good status. */
export function createGetJson(client: Dispatcher): GetJson {
  return async (url, headers) => {
    const answer = await request(url, {
      dispatcher: client,
      headers,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    }).catch(() => {
      throw new AppError("upstream-failed", "The provider could not be reached.");
    });
    const text = await readLimited(answer.body);
    const failure = () =>
      new AppError("upstream-failed", readError(answer.statusCode, toText(answer.headers), text).message);
    if (answer.statusCode < 200 || answer.statusCode > 299) throw failure();
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch {
      throw failure();
    }
  };
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new AppError("upstream-failed", "The provider's answer is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

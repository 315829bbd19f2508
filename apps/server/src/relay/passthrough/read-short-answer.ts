import type { ForwardedAnswer } from "./forward.ts";
import { RelayError } from "../errors/index.ts";

const MAX_BYTES = 1024 * 1024;

/** Reads an answer of metadata. Rejects with a 502 RelayError beyond 1 MiB. */
export async function readShortAnswer({ body }: Pick<ForwardedAnswer, "body">): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > MAX_BYTES) throw badAnswer();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export function badAnswer(): RelayError {
  const message = "The provider's answer could not be read.";
  return new RelayError({ status: 502, code: "upstream_failed", message });
}

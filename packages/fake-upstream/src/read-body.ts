import type { IncomingMessage } from "node:http";

/** The whole request body as text, or null when the caller went away before its end. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(joined(chunks)));
    request.on("close", () => resolve(null));
    request.on("error", () => resolve(null));
  });
}

function joined(chunks: Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return "";
  return chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString();
}

import type { Call } from "@one-api/contract/call";
import { envelopeSchema } from "@one-api/contract/envelope";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import { z } from "zod";
import { ConfigureError } from "./configure-error.ts";

export interface Server {
  readonly url: string;
  readonly key: string;
}

/** Reads address and key of the server. Throws ConfigureError for a missing one. */
export function readServer(environment: Readonly<Record<string, string | undefined>>): Server {
  const { ONE_API_URL: url = "", ONE_API_KEY: key = "" } = environment;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigureError("Set ONE_API_URL to the address of the server, such as https://gateway.example.");
  if (key === "") throw new ConfigureError("Set ONE_API_KEY to a management key with the scope for configuration.");
  return { url: stripTrailingSlashes(url), key };
}

/** Makes a call and returns its data. Throws ConfigureError for a refusal, and for a server that does not answer. */
export async function callServer<C extends Call>(
  server: Server,
  call: C,
  body?: unknown,
): Promise<z.output<C["data"]>> {
  const response = await send(server, call, body);
  const envelope = envelopeSchema.safeParse(await response.json().catch(() => undefined));
  if (!envelope.success)
    throw new ConfigureError(`${server.url} is no One API server: it answers ${response.status} without an envelope.`);
  const { success, message, field, code, data } = envelope.data;
  if (success) return z.parse<C["data"]>(call.data, data);
  const place = field === undefined ? "" : `${field.replace(/^configuration\./, "")}: `;
  throw new ConfigureError(`${place}${message}${code === undefined ? "" : ` (${code})`}`);
}

async function send({ url, key }: Server, { method, path }: Call, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    // A redirection would send the key elsewhere.
    return await fetch(`${url}${path}`, { method, headers, redirect: "error", ...sent });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new ConfigureError(`${url} cannot be reached: ${cause}.`);
  }
}

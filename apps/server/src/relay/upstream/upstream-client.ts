import { readError } from "@one-api/providers/formats/read-error";
import type { GetJson } from "@one-api/contract/channel-connection";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { AppError } from "../../core/app-error.ts";
import { isMetadataAddress } from "../../core/metadata-addresses.ts";

/** Longest wait for a connection, DNS and TLS included, in ms. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are kept this long, in ms. */
const KEEP_ALIVE_MS = 60_000;

/** The address that a name led to may not be called. */
export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";
}

/**
 * Builds the one HTTP client for providers: kept-alive connections, and a look at the address of every new connection before anything is
 * sent, so that no name can lead to a forbidden place.
 */
export function createUpstreamClient(): Dispatcher {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (!isMetadataAddress(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        callback(new ForbiddenAddressError("The address of this channel leads to a link-local address."), null);
      });
    },
  });
}

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
    const failure = () => new AppError("upstream-failed", readError(answer.statusCode, answer.headers, text).message);
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

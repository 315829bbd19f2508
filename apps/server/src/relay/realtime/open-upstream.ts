import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { failureOf, ProviderFailedError } from "@one-api/providers/failure";
import type { Format } from "@one-api/providers/format";
import type { UpstreamAddress } from "@one-api/providers/provider";
import { WebSocket } from "ws";
import { ForbiddenAddressError, lookUpChecked } from "../../platform/network/checked-connector.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";
import { createProxyAgent } from "../../platform/network/proxy-client.ts";
import { failureOfError, type UpstreamServices } from "../upstream/index.ts";
import type { SessionEnd } from "./message-pipe.ts";

/** Until a provider has opened a session, names, TCP, TLS and proxy included, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 20_000;
/** Longest message of a provider that is taken, in bytes. */
export const MAX_PROVIDER_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Of a refusal no more is read than this, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Opens a WebSocket to a provider, through the proxy where one is set. It comes paused, so that no message is lost before somebody listens.
 * Rejects with ProviderFailedError where the provider refuses or cannot be reached, and with another error where the signal says that nobody waits any more.
 */
export function openUpstream(
  { proxy: currentProxy }: Pick<UpstreamServices, "proxy">,
  { url, headers }: UpstreamAddress,
  format: Pick<Format, "readError">,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const target = new URL(url);
  if (isMetadataHost(target.hostname)) return Promise.reject(toFailed(new ForbiddenAddressError(target.hostname)));
  const proxy = currentProxy();
  const socket = new WebSocket(target, {
    headers,
    perMessageDeflate: false,
    maxPayload: MAX_PROVIDER_MESSAGE_BYTES,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    lookup: lookUpChecked,
    ...(proxy !== "" && { agent: createProxyAgent(proxy) }),
  });
  return new Promise((resolve, reject) => {
    let connection: Socket | undefined;
    const abort = (): void => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", abort);
      reject(signal.aborted ? new Error("The caller has left.") : error);
    };
    socket.once("upgrade", (response) => (connection = response.socket));
    socket.once("open", () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", failed);
      socket.pause();
      if (connection !== undefined) resolve({ socket, connection });
    });
    socket.once("unexpected-response", (request, response) => {
      void readRefusal(response).then((text) => {
        const { statusCode = 0, headers: told } = response;
        request.destroy();
        fail(new ProviderFailedError(format.readError(statusCode, told, text)));
      });
    });
    const failed = (error: Error): void => fail(toFailed(error));
    socket.once("error", failed);
  });
}

function toFailed(error: Error): ProviderFailedError {
  if (/handshake has timed out/.test(error.message))
    return new ProviderFailedError(failureOf("timeout", 0, "The provider did not open the session in time."));
  return new ProviderFailedError(failureOfError(error, false));
}

/** What a refusal says, as far as it comes. Never rejects. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const late = setTimeout(() => response.destroy(), HANDSHAKE_TIMEOUT_MS);
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      length += chunk.length;
      if (length > MAX_REFUSAL_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    // What came of it must do.
  }
  clearTimeout(late);
  return Buffer.concat(chunks).toString();
}

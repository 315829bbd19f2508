import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { failureOf, ProviderFailedError } from "@one-api/providers/failure";
import type { Format } from "@one-api/providers/format";
import type { UpstreamAddress } from "@one-api/providers/provider";
import { WebSocket } from "ws";
import { ForbiddenAddressError, lookUpChecked } from "../../platform/network/checked-connector.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";
import { createProxyAgent } from "../../platform/network/proxy-client.ts";
import { failureOfError } from "../upstream/index.ts";
import type { SessionEnd } from "./message-pipe.ts";

/** Includes DNS, TCP, TLS and proxy. */
export const HANDSHAKE_TIMEOUT_MS = 20_000;
export const MAX_PROVIDER_MESSAGE_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** `proxy`: its address; empty for none. Returns a paused WebSocket, so that no message is lost. Rejects with ProviderFailedError, or with another error after an abort. */
export function openUpstream(
  proxy: string,
  { url, headers }: UpstreamAddress,
  format: Pick<Format, "readError">,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const target = new URL(url);
  if (isMetadataHost(target.hostname)) return Promise.reject(toFailed(new ForbiddenAddressError(target.hostname)));
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
        const { statusCode = 0, headers: responseHeaders } = response;
        request.destroy();
        fail(new ProviderFailedError(format.readError(statusCode, responseHeaders, text)));
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
    // The received part suffices.
  }
  clearTimeout(late);
  return Buffer.concat(chunks).toString();
}

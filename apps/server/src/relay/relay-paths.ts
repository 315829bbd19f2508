import type { IncomingMessage } from "node:http";
import { type BatchServices, findBatchCall } from "./batches/index.ts";
import {
  listFiles,
  type PassthroughRequest,
  readProxyTarget,
  readStoredObjectRequest,
  serveProxy,
  serveStored,
  uploadFile,
} from "./passthrough/index.ts";

/** Serves a passthrough request. Rejects with the caller's error if nothing was sent. */
export type ServePassthrough = (services: BatchServices, visit: PassthroughRequest) => Promise<void>;

/** Handler of a passthrough request; undefined for others. Throws RelayError for an invalid address. */
export function findPassthrough(request: IncomingMessage, path: string): ServePassthrough | undefined {
  const { url = "", headers } = request;
  const target = readProxyTarget(url);
  if (target !== undefined) return (services, visit) => serveProxy(services, visit, target);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  // Anthropic has files of its own at the same path, which are not offered.
  if (headers["anthropic-version"] !== undefined) return undefined;
  const ofBatches = findBatchCall(method, path);
  if (ofBatches !== undefined) return ofBatches;
  if (path === "/v1/files" && (method === "GET" || method === "POST")) return method === "GET" ? listFiles : uploadFile;
  const kept = readStoredObjectRequest(method, path);
  return kept === undefined ? undefined : (services, visit) => serveStored(services, visit, kept);
}

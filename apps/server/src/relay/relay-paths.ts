import type { IncomingMessage } from "node:http";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { findBatchVisit } from "./batches/serve-batches.ts";
import { readKeptAsk } from "./passthrough/stored-object-paths.ts";
import type { Visit } from "./passthrough/forward.ts";
import { readProxyTarget } from "./passthrough/proxy-target.ts";
import { listFiles, uploadFile } from "./passthrough/serve-files.ts";
import { serveKept } from "./passthrough/serve-stored.ts";
import { serveProxy } from "./passthrough/serve-proxy.ts";

/** Answers a visit. Rejects with what the caller is to be told, where nothing was sent. */
export type ServeVisit = (deps: RelayDependencies, visit: Visit) => Promise<void>;

/** What passes to one channel as it is; undefined for all other requests. Throws RelayError for an address that is wrong in itself. */
export function findVisit(request: IncomingMessage, path: string): ServeVisit | undefined {
  const { url = "", headers } = request;
  const target = readProxyTarget(url);
  if (target !== undefined) return (deps, visit) => serveProxy(deps, visit, target);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  // Anthropic has files of its own at the same path, which are not offered.
  if (headers["anthropic-version"] !== undefined) return undefined;
  const ofBatches = findBatchVisit(method, path);
  if (ofBatches !== undefined) return ofBatches;
  if (path === "/v1/files" && (method === "GET" || method === "POST")) return method === "GET" ? listFiles : uploadFile;
  const kept = readKeptAsk(method, path);
  return kept === undefined ? undefined : (deps, visit) => serveKept(deps, visit, kept);
}

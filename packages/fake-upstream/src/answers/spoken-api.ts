import type { IncomingHttpHeaders } from "node:http";
import type { WriteErrorBody } from "../refusal.ts";
import type { Endpoint } from "../reply.ts";
import type { RequestRecord } from "../request-log.ts";

/** One provider's API, as far as the stub speaks it. */
export interface SpokenApi {
  /** True for requests of this API. */
  isSpoken(record: Pick<RequestRecord, "path" | "headers">): boolean;
  /** The key; undefined without one. Throws RequestRefused for a request that the API does not read at all. */
  readKey(headers: IncomingHttpHeaders): string | undefined;
  readonly writeError: WriteErrorBody;
  /** The endpoint of a method and path, or undefined; only the exact paths of an API have one. */
  find(method: string, path: string): Endpoint | undefined;
}

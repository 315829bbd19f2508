import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { OpenAiErrorBody, WriteErrorBody } from "../refusal.ts";
import type { Endpoint } from "../reply.ts";
import type { RequestRecord } from "../request-log.ts";

/** One provider's API, as far as the stub speaks it. */
export interface SpokenApi {
  /** True for requests of this API. */
  isSpoken(record: Pick<RequestRecord, "path" | "headers" | "body">): boolean;
  /** The key; undefined without one. Throws RequestRefused for a request that the API does not read at all, or whose signature is wrong. */
  readKey(headers: IncomingHttpHeaders, record: RequestRecord): string | undefined | Promise<string>;
  readonly writeError: WriteErrorBody;
  /** Headers of errors, where they say more than the body. */
  readonly errorHeaders?: (status: number, body: OpenAiErrorBody) => OutgoingHttpHeaders;
  /** The status of every error, where the body alone says which it is. */
  readonly errorStatus?: number;
  /** Asked beside the requests themselves, such as for a token: answered as it should be, whatever the behaviour. */
  readonly isAside?: true;
  /** The endpoint of a method and path, or undefined; only the exact paths of an API have one. */
  find(method: string, path: string): Endpoint | undefined;
}

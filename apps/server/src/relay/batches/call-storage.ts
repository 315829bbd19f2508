import type { Readable } from "node:stream";
import { readError } from "@one-api/providers/protocols/read-error";
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { request as callUpstream } from "undici";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { badAnswer, readShortAnswer, storageAddress } from "../passthrough/index.ts";
import { RelayError, upstreamFailed } from "../errors/index.ts";
import { failureOfError, isOfAccount } from "../upstream/index.ts";
import type { BatchServices } from "./batch-services.ts";

export type StorageServices = Pick<BatchServices, "upstream" | "timeouts">;

export interface StorageRequest {
  readonly channel: ChannelForRelay;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  readonly contentType?: string;
}

export interface StorageAnswer {
  readonly status: number;
  readonly json: JsonRecord;
}

/** Returns a short answer of any status. Rejects with UpstreamFailedError without an answer, with a 502 RelayError for an unreadable one. */
export async function callStorage(services: StorageServices, storageRequest: StorageRequest): Promise<StorageAnswer> {
  const answer = await send(services, storageRequest);
  const json = parseJson(await readShortAnswer(answer));
  if (isRecord(json)) return { status: answer.statusCode, json };
  if (answer.statusCode < 300) throw badAnswer();
  return { status: answer.statusCode, json: {} };
}

/** Streams a stored file. Rejects with a RelayError if it is missing, with UpstreamFailedError without an answer. */
export async function openFile(
  services: StorageServices,
  channel: ChannelForRelay,
  fileId: string,
): Promise<AsyncIterable<unknown>> {
  const answer = await send(services, { channel, method: "GET", path: `/files/${encodeURIComponent(fileId)}/content` });
  if (answer.statusCode < 300) return answer.body;
  await answer.body.dump();
  throw refusedBy({ status: answer.statusCode, json: {} }, `The provider did not give the file ${fileId}`);
}

async function send({ upstream, timeouts }: StorageServices, storageRequest: StorageRequest) {
  const { channel, method, path, query = {}, body, contentType = "application/json" } = storageRequest;
  const address = storageAddress(channel, path);
  if (address === undefined) throw badAnswer();
  const url = new URL(address.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    return await callUpstream(url, {
      dispatcher: upstream.through(channel.proxy).client,
      method,
      headers: {
        ...address.headers,
        "accept-encoding": "identity",
        ...(body !== undefined && { "content-type": contentType }),
      },
      body: body ?? null,
      headersTimeout: timeouts.answerFirstByteMs,
      bodyTimeout: timeouts.idleMs,
    });
  } catch (error) {
    throw error instanceof RelayError || !(error instanceof Error)
      ? error
      : upstreamFailed(failureOfError(error, false));
  }
}

export function refusedBy({ status, json }: StorageAnswer, what: string): RelayError {
  const error = recordOf(json["error"]);
  // Mistral's message is not in an error object.
  const reason = textOf(error["message"]) || textOf(json["message"]);
  const isRequest = status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
  const isCallers = isRequest && !isOfAccount(readError(status, {}, JSON.stringify(json)));
  return new RelayError({
    status: isCallers ? status : 502,
    type: isCallers ? "invalid_request_error" : "one_api_error",
    code: textOf(error["code"]) || "upstream_failed",
    param: textOf(error["param"]) || null,
    message: `${what}${isCallers && reason !== "" ? `: ${reason}` : ` (HTTP ${status}).`}`,
  });
}

import type { Readable } from "node:stream";
import { readError } from "@one-api/providers/protocols/read-error";
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { request as callUpstream } from "undici";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { badAnswer, readShortAnswer, storageAddress } from "../passthrough/index.ts";
import { RelayError, upstreamFailed } from "../errors/index.ts";
import { failureOfError, isOfAccount } from "../upstream/index.ts";
import type { BatchServices } from "./batch-services.ts";

export type StorageServices = Pick<BatchServices, "client" | "timeouts">;

/** A question to the provider that keeps files and batches of a channel. */
export interface StorageRequest {
  readonly channel: ChannelForRelay;
  readonly method: "GET" | "POST" | "DELETE";
  /** After the version of the provider's API. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  readonly contentType?: string;
}

/** What a provider says of a thing that it keeps. */
export interface StorageAnswer {
  readonly status: number;
  readonly json: JsonRecord;
}

/** Asks and reads the short answer, whatever its status. Rejects with UpstreamFailedError where none comes, with a 502 RelayError for what cannot be read. */
export async function callStorage(services: StorageServices, question: StorageRequest): Promise<StorageAnswer> {
  const answer = await send(services, question);
  const json = parseJson(await readShortAnswer(answer));
  if (isRecord(json)) return { status: answer.statusCode, json };
  if (answer.statusCode < 300) throw badAnswer();
  return { status: answer.statusCode, json: {} };
}

/** The content of a file that the provider keeps, as it comes. Rejects with a RelayError where it has none, with UpstreamFailedError where no answer comes. */
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

async function send({ client, timeouts }: StorageServices, question: StorageRequest) {
  const { channel, method, path, query = {}, body, contentType = "application/json" } = question;
  const address = storageAddress(channel, path);
  if (address === undefined) throw badAnswer();
  const url = new URL(address.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    return await callUpstream(url, {
      dispatcher: client,
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

/** What the caller is told where the provider refused. */
export function refusedBy({ status, json }: StorageAnswer, what: string): RelayError {
  const error = recordOf(json["error"]);
  // Mistral's message stands by itself.
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

import { Transform } from "node:stream";
import { labelsOf, providerOf } from "@one-api/providers/registry";
import { isRecord, numberOf, parseJson, textOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { countStoredFiles, insertStoredObjects, listStoredFiles } from "../../features/stored-objects/index.ts";
import { mayCallAny } from "../callers/index.ts";
import { chooseAtRandom, weigh } from "../routing/index.ts";
import { RelayError } from "../errors/index.ts";
import { presentPage, readPageRequest } from "./list-page.ts";
import { logPassthrough } from "./log-passthrough.ts";
import { forward, sendText, type PassthroughRequest } from "./forward.ts";
import { badAnswer, readShortAnswer } from "./read-short-answer.ts";
import { refuseAccountFault } from "./refuse-account-fault.ts";
import { RunningCount } from "./running-count.ts";
import { responseHeaders } from "../dialects/index.ts";
import { storageAddress } from "./serve-stored.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** Limits per account, since files are free. */
const MAX_FILES = 200;
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Running uploads count with their largest size. */
const uploading = new RunningCount();

export async function uploadFile(services: PassthroughServices, call: PassthroughRequest): Promise<void> {
  const { caller, request } = call;
  await services.limiter.count(caller.limits);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > MAX_FILE_BYTES) throw tooLarge();
  const { userId } = caller;
  const others = uploading.of(userId);
  await uploading.run(userId, async () => {
    const has = await countStoredFiles(services.database, userId, nowSeconds(services.clock));
    const bytes = has.bytes + (others + 1) * MAX_FILE_BYTES;
    if (has.count + others >= MAX_FILES || (others > 0 && bytes > MAX_BYTES) || has.bytes + length > MAX_BYTES)
      throw tooMany();
    await forwardUpload(services, call);
  });
}

async function forwardUpload(services: PassthroughServices, call: PassthroughRequest): Promise<void> {
  const { request } = call;
  const { headers } = request;
  const channel = await findStorage(services, call);
  const address = storageAddress(channel, "/files");
  if (address === undefined) throw noStorage();
  const { "content-type": type = "", "content-length": length } = headers;
  if (!/^multipart\/form-data\s*;/i.test(type)) throw notMultipart();
  const counted = new CountedBody();
  request.pipe(counted);
  const outgoing = {
    channel,
    method: "POST",
    url: new URL(address.url),
    headers: { ...address.headers, "content-type": type, ...(length !== undefined && { "content-length": length }) },
    body: counted,
  };
  const row = { model: "files", content: "Passed on POST /v1/files.", channelId: channel.id };
  await logPassthrough(services, call, row, (answered) =>
    forward(services, call, outgoing, async (answer) => {
      answered(answer.statusCode);
      const text = await readShortAnswer(answer);
      refuseAccountFault(answer, text);
      if (answer.statusCode < 300) await remember(services, call, channel.id, text, counted.bytes);
      sendText(call, answer, text);
    }).catch((error: unknown) => {
      throw counted.isTooLong ? tooLarge() : error;
    }),
  );
}

class CountedBody extends Transform {
  bytes = 0;
  isTooLong = false;

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length;
    this.isTooLong = this.bytes > MAX_FILE_BYTES;
    if (this.isTooLong) done(tooLarge());
    else done(null, chunk);
  }
}

async function remember(
  { database, clock }: PassthroughServices,
  { caller }: PassthroughRequest,
  channelId: number,
  answer: string,
  size: number,
): Promise<void> {
  const file = parseJson(answer);
  const id = isRecord(file) ? textOf(file["id"]) : "";
  if (!isRecord(file) || id === "") throw badAnswer();
  await insertStoredObjects(database, [
    {
      object_id: id,
      kind: "file",
      user_id: caller.userId,
      token_id: caller.tokenId,
      channel_id: channelId,
      size,
      created_at: nowSeconds(clock),
      expires_at: Math.max(0, Math.ceil(numberOf(file["expires_at"]) ?? 0)),
      data: answer,
    },
  ]);
}

/** Chooses among channels that store files by status, priority and weight. Throws a 501 RelayError without one. */
async function findStorage(services: PassthroughServices, { caller }: PassthroughRequest): Promise<ChannelForRelay> {
  const snapshot = await services.channels.snapshot();
  for (const group of caller.groups) {
    const able = snapshot
      .channelsOf(group)
      .filter((channel) => storageAddress(channel, "") !== undefined)
      .filter(({ models }) => mayCallAny(services, caller, models));
    // The form names the purpose of a file at an unknown position, so channels that store batch files only come last.
    const anyFile = able.filter(({ type }) => providerOf(type)?.storesOnlyBatches !== true);
    const candidates = anyFile.length > 0 ? anyFile : able;
    const weighed = weigh(candidates, ({ dormantUntil }) =>
      dormantUntil * 1_000 > services.clock.nowMs() ? "rate-limited" : "",
    );
    const chosen = chooseAtRandom(weighed, services.random());
    if (chosen !== undefined) return chosen;
  }
  throw noStorage();
}

/** The caller's files as created, newest first: https://platform.openai.com/docs/api-reference/files/list */
export async function listFiles(services: PassthroughServices, call: PassthroughRequest): Promise<void> {
  const { caller, response, requestId, dialect } = call;
  await services.limiter.count(caller.limits);
  const page = readPageRequest(call);
  const found = await listStoredFiles(services.database, caller.userId, { ...page, now: nowSeconds(services.clock) });
  const list = presentPage(found, page, { idOf: (file) => file.object_id, present: ({ data }) => parseJson(data) });
  const body = JSON.stringify(list);
  response.writeHead(200, { "content-type": "application/json", ...responseHeaders(requestId, dialect) });
  response.end(body);
}

function tooLarge(): RelayError {
  const message = `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`;
  return new RelayError({ status: 413, type: "invalid_request_error", code: "file_too_large", param: "file", message });
}

function tooMany(): RelayError {
  const message = `An account may keep ${MAX_FILES} files here, of 2 GiB in all. Delete some first.`;
  return new RelayError({ status: 400, type: "invalid_request_error", code: "too_many_files", message });
}

function notMultipart(): RelayError {
  const message = "Send the file as multipart/form-data, with the fields purpose and file.";
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_body", message });
}

function noStorage(): RelayError {
  const others = labelsOf(({ storesOnlyBatches }) => storesOnlyBatches === true);
  const message = `No channel of your group keeps files: that takes one of the type OpenAI, of Azure OpenAI with its API of 2025-03-01 or newer, or, for batches alone, of ${others}.`;
  return new RelayError({ status: 501, code: "not_supported", message });
}

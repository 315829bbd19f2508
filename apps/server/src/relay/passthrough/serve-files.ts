import { Transform } from "node:stream";
import { labelsOf, providerOf } from "@one-api/providers/registry";
import { isRecord, numberOf, parseJson, textOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { countStoredFiles, insertStoredObjects, listStoredFiles } from "../../features/stored-objects/index.ts";
import { chooseAtRandom, weigh } from "../routing/index.ts";
import { RelayError } from "../errors/index.ts";
import { presentPage, readAskedPage } from "./list-page.ts";
import { logPassthrough } from "./log-passthrough.ts";
import { forward, sendText, type PassthroughRequest } from "./forward.ts";
import { badAnswer, readShortAnswer } from "./read-short-answer.ts";
import { refuseAccountFault } from "./refuse-account-fault.ts";
import { RunningCount } from "./running-count.ts";
import { responseHeaders } from "../dialects/index.ts";
import { storageAddress } from "./serve-stored.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** Files cost nothing, so there is an end to them. */
const MOST_FILES = 200;
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const MOST_FILE_BYTES = 100 * 1024 * 1024;

/** Uploads: what they will add is counted before it is there. */
const uploading = new RunningCount();

/** Uploads a file to a channel of the caller's groups that keeps files, and remembers whose it is. Throws RelayError. */
export async function uploadFile(services: PassthroughServices, visit: PassthroughRequest): Promise<void> {
  const { caller, request } = visit;
  services.limiter.admit(caller.limits, 0).settle(0);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > MOST_FILE_BYTES) throw tooLarge();
  const { userId } = caller;
  const others = uploading.of(userId);
  await uploading.run(userId, async () => {
    const has = await countStoredFiles(services.database, userId, nowSeconds(services.clock));
    const bytes = has.bytes + (others + 1) * MOST_FILE_BYTES;
    if (has.count + others >= MOST_FILES || (others > 0 && bytes > MOST_BYTES) || has.bytes + length > MOST_BYTES)
      throw tooMany();
    await sendUp(services, visit);
  });
}

async function sendUp(services: PassthroughServices, visit: PassthroughRequest): Promise<void> {
  const { request } = visit;
  const { headers } = request;
  const channel = await findKeeper(services, visit);
  const address = storageAddress(channel, "/files");
  if (address === undefined) throw noKeeper();
  const { "content-type": type = "", "content-length": length } = headers;
  if (!/^multipart\/form-data\s*;/i.test(type)) throw notMultipart();
  const counted = new CountedBody();
  request.pipe(counted);
  const asked = {
    channelId: channel.id,
    method: "POST",
    url: new URL(address.url),
    headers: { ...address.headers, "content-type": type, ...(length !== undefined && { "content-length": length }) },
    body: counted,
  };
  const row = { model: "files", content: "Passed on POST /v1/files.", channelId: channel.id };
  await logPassthrough(services, visit, row, (answered) =>
    forward(services, visit, asked, async (answer) => {
      answered(answer.statusCode);
      const text = await readShortAnswer(answer);
      refuseAccountFault(answer, text);
      if (answer.statusCode < 300) await remember(services, visit, channel.id, text, counted.bytes);
      sendText(visit, answer, text);
    }).catch((error: unknown) => {
      throw counted.isTooLong ? tooLarge() : error;
    }),
  );
}

/** A body on its way that is cut off when it is longer than a file may be. */
class CountedBody extends Transform {
  bytes = 0;
  isTooLong = false;

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length;
    this.isTooLong = this.bytes > MOST_FILE_BYTES;
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

/** A channel of the caller's groups that keeps files: of those that are awake with the highest priority, by weight. Throws a 501 RelayError without one. */
async function findKeeper(services: PassthroughServices, { caller }: PassthroughRequest): Promise<ChannelForRelay> {
  const snapshot = await services.channels.snapshot();
  for (const group of caller.groups) {
    const able = snapshot
      .channelsOf(group)
      .filter((channel) => storageAddress(channel, "") !== undefined)
      .filter(({ models }) => caller.models === undefined || [...models].some((model) => caller.models?.has(model)));
    // What a file is for stands somewhere in the form: those that keep some files alone get them where nobody else is.
    const ofAllFiles = able.filter(({ type }) => providerOf(type)?.keepsBatchesAlone !== true);
    const keepers = ofAllFiles.length > 0 ? ofAllFiles : able;
    const weighed = weigh(keepers, ({ dormantUntil }) =>
      dormantUntil * 1_000 > services.clock.nowMs() ? "rate-limited" : "",
    );
    const chosen = chooseAtRandom(weighed, services.random());
    if (chosen !== undefined) return chosen;
  }
  throw noKeeper();
}

/** The caller's own files as they were when they were made, the newest first: https://platform.openai.com/docs/api-reference/files/list */
export async function listFiles(services: PassthroughServices, visit: PassthroughRequest): Promise<void> {
  const { caller, response, requestId, dialect } = visit;
  services.limiter.admit(caller.limits, 0).settle(0);
  const asked = readAskedPage(visit);
  const found = await listStoredFiles(services.database, caller.userId, { ...asked, now: nowSeconds(services.clock) });
  const page = presentPage(found, asked, { idOf: (file) => file.object_id, present: ({ data }) => parseJson(data) });
  const body = JSON.stringify(page);
  response.writeHead(200, { "content-type": "application/json", ...responseHeaders(requestId, dialect) });
  response.end(body);
}

function tooLarge(): RelayError {
  const message = `The file is larger than ${MOST_FILE_BYTES / 1024 / 1024} MiB.`;
  return new RelayError({ status: 413, type: "invalid_request_error", code: "file_too_large", param: "file", message });
}

function tooMany(): RelayError {
  const message = `An account may keep ${MOST_FILES} files here, of 2 GiB in all. Delete some first.`;
  return new RelayError({ status: 400, type: "invalid_request_error", code: "too_many_files", message });
}

function notMultipart(): RelayError {
  const message = "Send the file as multipart/form-data, with the fields purpose and file.";
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_body", message });
}

function noKeeper(): RelayError {
  const others = labelsOf(({ keepsBatchesAlone }) => keepsBatchesAlone === true);
  const message = `No channel of your group keeps files: that takes one of the type OpenAI, of Azure OpenAI with its API of 2025-03-01 or newer, or, for batches alone, of ${others}.`;
  return new RelayError({ status: 501, code: "not_supported", message });
}

import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { textOf } from "@one-api/providers/shared/json-fields";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { Caller } from "../callers/index.ts";
import type { StoredObjectOwner } from "../../features/stored-objects/index.ts";
import { badAnswer } from "../passthrough/index.ts";
import { RelayError } from "../errors/index.ts";
import { callStorage, type StorageAnswer, openFile, refusedBy } from "./call-storage.ts";
import { BoundLines, readLine } from "./bound-lines.ts";
import { type BatchRoute, chooseRoute } from "./choose-route.ts";
import { LineTooLongError, splitLines } from "./split-lines.ts";
import type { BatchServices } from "./batch-services.ts";

/** Longest line of an input file, in bytes. */
const MOST_LINE_BYTES = 8 * 1024 * 1024;

/** An input file that was bounded line by line and is at the provider now. */
export interface SentInput {
  readonly route: BatchRoute;
  /** As the caller names it. */
  readonly model: string;
  readonly lines: BoundLines;
  /** The provider's id of the bytes that were bounded. */
  readonly fileId: string;
}

/**
 * Reads the caller's file from the channel that has it, bounds every line as its request would be, and uploads what becomes of it: just these bytes
 * are what the batch is made of. Throws a RelayError that names the line where one is wrong; nothing is at the provider then.
 */
export async function sendInput(
  services: BatchServices,
  caller: Caller,
  file: StoredObjectOwner & { readonly channel: ChannelForRelay },
  endpoint: string,
): Promise<SentInput> {
  const source = splitLines(await openFile(services, file.channel, file.object_id), MOST_LINE_BYTES);
  try {
    return await sendLines(services, caller, { source, endpoint, fileChannelId: file.channel_id });
  } finally {
    // Wherever it stopped, nothing more of the file is wanted.
    await source.return(undefined);
  }
}

async function sendLines(
  services: BatchServices,
  caller: Caller,
  {
    source,
    endpoint,
    fileChannelId,
  }: { readonly source: AsyncGenerator<Buffer>; readonly endpoint: string; readonly fileChannelId: number },
): Promise<SentInput> {
  const first = await nextLine(source);
  if (first === undefined) throw emptyFile();
  const { ask } = readLine(first, 1, endpoint);
  const route = await chooseRoute(services, caller, ask, fileChannelId);
  const lines = new BoundLines(services, route, endpoint, ask.model);
  const fileId = await upload(services, route.channel, boundAll(lines, endpoint, first, source));
  return { route, model: ask.model, lines, fileId };
}

async function nextLine(source: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  try {
    const next: IteratorResult<Buffer, unknown> = await source.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    throw error instanceof LineTooLongError ? tooLong(error.line) : error;
  }
}

async function* boundAll(
  lines: BoundLines,
  endpoint: string,
  first: Buffer,
  source: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  let number = 1;
  for (let line: Buffer | undefined = first; line !== undefined; line = await nextLine(source)) {
    yield lines.add(readLine(line, number, endpoint));
    number += 1;
  }
}

/** Uploads the lines as a form and returns the provider's id of the file. */
async function upload(
  services: BatchServices,
  channel: ChannelForRelay,
  lines: AsyncGenerator<Buffer>,
): Promise<string> {
  const boundary = `one-api-${randomUUID()}`;
  let failure: Error | undefined;
  const body = Readable.from(
    inForm(lines, boundary, (error) => (failure = error instanceof Error ? error : new Error(String(error)))),
    { objectMode: false },
  );
  const contentType = `multipart/form-data; boundary=${boundary}`;
  let answer;
  try {
    answer = await callStorage(services, { channel, method: "POST", path: "/files", body, contentType });
  } catch (error) {
    throw failure ?? error;
  }
  if (failure !== undefined) throw failure;
  const id = textOf(answer.json["id"]);
  if (answer.status >= 300 || id === "") throw refusedBy(answer, "The provider did not take the file of the batch");
  await awaitRead(services, channel, answer);
  return id;
}

/** A provider may read what it was sent for so long, in seconds. */
const MOST_READING_SECONDS = 60;

/** Waits until the provider has read the file: Azure makes no batch of one before. */
async function awaitRead(services: BatchServices, channel: ChannelForRelay, sent: StorageAnswer): Promise<void> {
  const path = `/files/${encodeURIComponent(textOf(sent.json["id"]))}`;
  let { json } = sent;
  for (let second = 0; ["pending", "running"].includes(textOf(json["status"])); second += 1) {
    if (second >= MOST_READING_SECONDS) throw badAnswer();
    await wait(1_000);
    ({ json } = await callStorage(services, { channel, method: "GET", path }));
  }
}

/** The file as the fields `purpose` and `file` of a form: https://platform.openai.com/docs/api-reference/files/create */
async function* inForm(
  lines: AsyncGenerator<Buffer>,
  boundary: string,
  failed: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  const part = (name: string, more: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  yield Buffer.from(
    `${part("purpose", "")}batch\r\n${part("file", '; filename="batch.jsonl"\r\ncontent-type: application/jsonl')}`,
  );
  try {
    yield* lines;
  } catch (error) {
    failed(error);
    throw error;
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

function emptyFile(): RelayError {
  const message = "The input file has no lines. Upload one with a request on each line.";
  return badFile(message);
}

function tooLong(line: number): RelayError {
  return badFile(`Line ${line} of the input file is longer than ${MOST_LINE_BYTES / 1024 / 1024} MiB.`);
}

function badFile(message: string): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "invalid_batch_line",
    param: "input_file_id",
    message,
  });
}

import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { textOf } from "@one-api/providers/shared/json-fields";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { aliasOf, type Caller } from "../callers/index.ts";
import type { StoredObjectOwner } from "../../features/stored-objects/index.ts";
import { badAnswer } from "../passthrough/index.ts";
import { RelayError } from "../errors/index.ts";
import { callStorage, type StorageAnswer, openFile, refusedBy } from "./call-storage.ts";
import { BoundLines, readLine } from "./bound-lines.ts";
import { type BatchRoute, chooseRoute } from "./choose-route.ts";
import { LineTooLongError, splitLines } from "./split-lines.ts";
import type { BatchServices } from "./batch-services.ts";

const MAX_LINE_BYTES = 8 * 1024 * 1024;

export interface SentInput {
  readonly route: BatchRoute;
  readonly alias: string;
  readonly lines: BoundLines;
  readonly fileId: string;
}

/** Bounds every line of the caller's file and uploads exactly the bounded bytes. Throws a RelayError that names a wrong line. */
export async function sendInput(
  services: BatchServices,
  caller: Caller,
  file: StoredObjectOwner & { readonly channel: ChannelForRelay },
  endpoint: string,
): Promise<SentInput> {
  const source = splitLines(await openFile(services, file.channel, file.object_id), MAX_LINE_BYTES);
  try {
    return await sendLines(services, caller, { source, endpoint, fileChannelId: file.channel_id });
  } finally {
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
  const { parsed } = readLine(first, 1, endpoint);
  const route = await chooseRoute(services, caller, parsed, fileChannelId);
  const lines = new BoundLines(services, route, endpoint, parsed.model);
  const fileId = await upload(services, route.channel, boundAll(lines, endpoint, first, source));
  return { route, alias: aliasOf(services, parsed), lines, fileId };
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

const MAX_READING_SECONDS = 60;

/** Waits until the provider has processed the file. Azure creates no batch before. */
async function awaitRead(services: BatchServices, channel: ChannelForRelay, sent: StorageAnswer): Promise<void> {
  const path = `/files/${encodeURIComponent(textOf(sent.json["id"]))}`;
  let { json } = sent;
  for (let second = 0; ["pending", "running"].includes(textOf(json["status"])); second += 1) {
    if (second >= MAX_READING_SECONDS) throw badAnswer();
    await wait(1_000);
    ({ json } = await callStorage(services, { channel, method: "GET", path }));
  }
}

/** The file as fields of a form: https://platform.openai.com/docs/api-reference/files/create */
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
  return badFile(`Line ${line} of the input file is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB.`);
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

import { createHash } from "node:crypto";
import { parseExact } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { listField } from "../../protocols/gemini/fields.ts";
import type { UploadedFile, ProviderIo } from "../../provider-io.ts";

export interface FileStore {
  readonly uploadUrl: string;
  /** Returns the address of a file by its name, such as `files/abc`. */
  readonly fileUrl: (name: string) => string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Lifetime of a picture at Google, in ms: a conversation sends it in each request. Google deletes it after two days. */
const LIFETIME_MS = 60 * 60 * 1_000;
/** A picture that expires within this time is no longer referenced, in ms. */
const LEAST_MS = 10 * 60 * 1_000;

/**
 * Uploads the pictures of a request and references them, each once an hour. A picture stays inside the request where its upload fails. Source:
 * https://ai.google.dev/gemini-api/docs/files
 */
export async function uploadPictures(body: Buffer, store: FileStore, io: ProviderIo): Promise<Buffer> {
  if (!body.includes("nline")) return body;
  const request = recordOf(parseExact(body.toString()));
  let hasUploaded = false;
  const written: JsonRecord[] = [];
  for (const content of listField(request, "contents").map(recordOf)) {
    const parts: unknown[] = [];
    for (const part of listField(content, "parts")) {
      const referenced = await referTo(recordOf(part), store, io);
      hasUploaded ||= referenced !== undefined;
      parts.push(referenced ?? part);
    }
    written.push({ ...content, parts });
  }
  return hasUploaded ? Buffer.from(JSON.stringify({ ...request, contents: written })) : body;
}

/** Replaces a picture by its reference; undefined without a picture, or after a failed upload. */
async function referTo(part: JsonRecord, store: FileStore, io: ProviderIo): Promise<JsonRecord | undefined> {
  const { inlineData, inline_data: snake, ...rest } = part;
  const inline = inlineData ?? snake;
  if (!isRecord(inline)) return undefined;
  const mimeType = textOf(inline.mimeType ?? inline.mime_type);
  const data = textOf(inline.data);
  if (!/^image\/[\w.+-]{1,64}$/.test(mimeType) || data === "") return undefined;
  const name = createHash("sha256").update(`${store.uploadUrl} ${JSON.stringify(store.headers)} ${mimeType} ${data}`);
  const key = name.digest("base64");
  const known = io.files.find(key, io.nowMs(), LEAST_MS);
  const file = known ?? (await upload(Buffer.from(data, "base64"), mimeType, store, io).catch(() => undefined));
  if (file === undefined) return undefined;
  if (known === undefined) io.files.store(key, file);
  return { ...rest, fileData: { mimeType, fileUri: file.uri } };
}

async function upload(
  bytes: Buffer,
  mimeType: string,
  store: FileStore,
  io: ProviderIo,
): Promise<UploadedFile | undefined> {
  const begun = await io.ask({
    method: "POST",
    url: store.uploadUrl,
    headers: {
      ...store.headers,
      "content-type": "application/json",
      "x-goog-upload-protocol": "resumable",
      "x-goog-upload-command": "start",
      "x-goog-upload-header-content-length": String(bytes.length),
      "x-goog-upload-header-content-type": mimeType,
    },
    body: Buffer.from("{}"),
  });
  const url = textOf(begun.headers["x-goog-upload-url"]);
  if (begun.status !== 200 || !mayTake(url, store)) return undefined;
  const ended = await io.ask({
    method: "POST",
    url,
    headers: { "content-type": mimeType, "x-goog-upload-offset": "0", "x-goog-upload-command": "upload, finalize" },
    body: bytes,
  });
  const { uri, name, state } = recordOf(recordOf(parseJson(ended.text)).file);
  if (ended.status !== 200 || textOf(uri) === "" || (state !== undefined && state !== "ACTIVE")) return undefined;
  const { headers, fileUrl } = store;
  const remove = () => io.ask({ method: "DELETE", url: fileUrl(textOf(name)), headers, body: Buffer.alloc(0) });
  return { uri: textOf(uri), expiresAtMs: io.nowMs() + LIFETIME_MS, remove };
}

/** Pictures are sent only to the channel's host or over TLS. */
function mayTake(url: string, store: FileStore): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol } = new URL(url);
  return protocol === "https:" || origin === new URL(store.uploadUrl).origin;
}

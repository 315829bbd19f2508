import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";

// A backup file is a header of 8 KB and lines of JSON in gzip. The header is one line of JSON, padded with spaces.
// A line is either {"table", "columns"} or a page of that table's rows.

const FORMAT = "one-api-backup";
const FORMAT_VERSION = 1;
const HEADER_BYTES = 8 * 1024;
const OWNER_ONLY = 0o600;

export interface BackupFacts {
  readonly program: string;
  readonly database: "sqlite" | "postgres";
  /** Number of the last migration. */
  readonly schema: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: Readonly<Record<string, number>>;
  /** Balances that differed from the ledger. */
  readonly differences: number;
}

export interface BackupHeader extends BackupFacts {
  readonly format: string;
  readonly version: number;
  readonly checksum: string;
}

/** A file that is no backup, or that cannot be written or used; the message says what to do. */
export class BackupFileError extends Error {
  override readonly name = "BackupFileError";
}

/**
 * Writes a backup file for its owner only. It has its name once it is complete and on disk. `facts` is read after the last line.
 * Throws BackupFileError if the file exists or cannot be written.
 */
export async function writeBackupFile(
  file: string,
  lines: AsyncIterable<string>,
  facts: () => BackupFacts,
): Promise<BackupHeader> {
  const partial = `${file}.partial`;
  await refuseExisting(file);
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", OWNER_ONLY).catch((error: unknown) => {
    throw new BackupFileError(
      `The file ${partial} cannot be made: ${reasonOf(error)}. Name a folder that this user may write to.`,
    );
  });
  try {
    await handle.write(Buffer.alloc(HEADER_BYTES));
    const hash = createHash("sha256");
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(undefined, chunk);
      },
    });
    const body = createWriteStream("", { fd: handle.fd, start: HEADER_BYTES, autoClose: false });
    await pipeline(Readable.from(lines), createGzip({ level: constants.Z_BEST_SPEED }), hashing, body);
    const header = sealHeader(facts(), hash.digest("hex"));
    await handle.write(headerBytes(header), 0, HEADER_BYTES, 0);
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    await syncFolder(path.dirname(file));
    return header;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await open(file, "r").catch(() => undefined);
  if (existing === undefined) return;
  await existing.close();
  throw new BackupFileError(`The file ${file} exists. Name another file, or remove this one.`);
}

function sealHeader(facts: BackupFacts, bodyHash: string): BackupHeader {
  return { format: FORMAT, version: FORMAT_VERSION, ...facts, checksum: checksumOf(facts, bodyHash) };
}

function checksumOf(facts: BackupFacts, bodyHash: string): string {
  const { program, database, schema, createdAt, rows, sequences, differences } = facts;
  const text = JSON.stringify([program, database, schema, createdAt, rows, sequences, differences]);
  return createHash("sha256").update(text).update(bodyHash).digest("hex");
}

function headerBytes(header: BackupHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES, " ");
  const text = JSON.stringify(header);
  if (Buffer.byteLength(text) >= HEADER_BYTES) throw new Error("The header of the backup is too long.");
  bytes.write(text);
  bytes.write("\n", HEADER_BYTES - 1);
  return bytes;
}

/** Returns the header of a backup whose checksum is right. Throws BackupFileError for any other file. */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  const header = await readHeader(file);
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { start: HEADER_BYTES }), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) hash.update(chunk);
  });
  if (checksumOf(header, hash.digest("hex")) === header.checksum) return header;
  throw new BackupFileError(
    `The backup ${file} is damaged: its checksum is wrong. Copy it again from where it was made, or use another backup.`,
  );
}

async function readHeader(file: string): Promise<BackupHeader> {
  const handle = await open(file, "r").catch((error: unknown) => {
    throw new BackupFileError(
      `The backup ${file} cannot be read: ${reasonOf(error)}. Name a file that this user may read.`,
    );
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const header = parseHeader(buffer.toString("utf8", 0, bytesRead));
    if (header === undefined)
      throw new BackupFileError(`The file ${file} is no complete backup. Name one that "npm run backup" has made.`);
    if (header.version === FORMAT_VERSION) return header;
    throw new BackupFileError(
      `The backup ${file} has format ${header.version}, and this program reads format ${FORMAT_VERSION}. Restore it with version ${header.program}.`,
    );
  } catch (error) {
    if (error instanceof BackupFileError) throw error;
    throw new BackupFileError(`The backup ${file} cannot be read: ${reasonOf(error)}.`);
  } finally {
    await handle.close();
  }
}

function parseHeader(text: string): BackupHeader | undefined {
  try {
    const header: unknown = JSON.parse(text);
    return isHeader(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is BackupHeader {
  if (!isRecord(value)) return false;
  const { format, version, program, database, schema, createdAt, rows, sequences, differences, checksum } = value;
  return (
    format === FORMAT &&
    [version, schema, differences].every(Number.isSafeInteger) &&
    [program, createdAt, checksum].every((text) => typeof text === "string") &&
    (database === "sqlite" || database === "postgres") &&
    [rows, sequences].every((counts) => isRecord(counts) && Object.values(counts).every(Number.isSafeInteger))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Yields the lines behind the header. */
export async function* readBackupLines(file: string): AsyncGenerator<string> {
  const text = new PassThrough();
  const reading = pipeline(createReadStream(file, { start: HEADER_BYTES }), createGunzip(), text);
  // The error also ends `text`; it is thrown at the end.
  reading.catch(() => undefined);
  yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
  await reading;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

import { type Drop, UntranslatableError } from "../../neutral/chat-request.ts";
import type { FilePart, ImagePart, MediaSource } from "../../neutral/message-part.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";

/**
 * Formats of documents and videos by media type, lower-case. Source:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["application/pdf", "pdf"],
  ["text/plain", "txt"],
  ["text/markdown", "md"],
  ["text/html", "html"],
  ["text/csv", "csv"],
  ["application/msword", "doc"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
]);
const FILMS: ReadonlyMap<string, string> = new Map([
  ["video/mp4", "mp4"],
  ["video/quicktime", "mov"],
  ["video/webm", "webm"],
  ["video/x-matroska", "mkv"],
  ["video/mpeg", "mpeg"],
]);

const MAX_NAME_LENGTH = 150;

/** Document names, which must be unique in a request. */
export class DocumentNames {
  readonly #used = new Map<string, number>();

  /** Returns a name of letters, digits, single spaces, hyphens and brackets, without its extension. */
  next(name: string): string {
    const plain = name.replace(/\.\w{1,5}$/, "").replace(/[^a-zA-Z0-9()[\]-]+/g, " ");
    const clean = plain.slice(0, MAX_NAME_LENGTH).trim() || "document";
    const times = (this.#used.get(clean) ?? 0) + 1;
    this.#used.set(clean, times);
    return times === 1 ? clean : `${clean} (${times})`;
  }
}

/** Writes a picture from the request or from Amazon's storage: Bedrock fetches no others. */
export function writeImage({ source, detail }: ImagePart, drop: Drop): JsonRecord {
  if (detail === "low" || detail === "high") drop("messages.image_url.detail");
  const format = mediaTypeOf(source, "image/png").replace("image/", "");
  return { image: { format: format === "jpg" ? "jpeg" : format, source: writeSource(source, "Pictures") } };
}

/** Writes a document or a video; other types are dropped. */
export function writeFile({ source, name }: FilePart, names: DocumentNames, drop: Drop): readonly JsonRecord[] {
  const mediaType = mediaTypeOf(source, "application/pdf");
  const document = DOCUMENTS.get(mediaType);
  const film = FILMS.get(mediaType);
  if (document !== undefined) {
    return [{ document: { format: document, name: names.next(name), source: writeSource(source, "Documents") } }];
  }
  if (film !== undefined) return [{ video: { format: film, source: writeSource(source, "Films") } }];
  drop(`messages.file.${mediaType}`);
  return [];
}

const ENDINGS = /\.(pdf|txt|md|html|csv|docx?|xlsx?|png|jpe?g|gif|webp|mp4|mov|webm|mkv)$/i;

function mediaTypeOf(source: MediaSource, usual: string): string {
  if (source.mediaType !== undefined && source.mediaType !== "") return source.mediaType.replace(/;.*$/, "");
  const ending = source.type === "url" ? ENDINGS.exec(source.url)?.[1]?.toLowerCase() : undefined;
  if (ending === undefined) return usual;
  const known = [...DOCUMENTS, ...FILMS].find(([, format]) => format === ending)?.[0];
  return known ?? `image/${ending}`;
}

/** Throws UntranslatableError for media at other addresses. */
function writeSource(source: MediaSource, what: string): JsonRecord {
  if (source.type === "base64") return { bytes: source.data };
  if (source.type === "url" && source.url.startsWith("s3://")) return { s3Location: { uri: source.url } };
  const message = `${what} must be in the request as data URLs, or in Amazon S3 (s3://…): the provider of this model fetches nothing else.`;
  throw new UntranslatableError("messages", message);
}

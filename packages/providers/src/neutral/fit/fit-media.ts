import { isUtf8 } from "node:buffer";
import { UntranslatableError } from "../chat-request.ts";
import { type FilePart, type ImagePart, type MediaSource, type MessagePart, readDataUrl } from "../message-part.ts";
import { sniffMediaType } from "./sniff-media.ts";

type Base64Source = Extract<MediaSource, { readonly type: "base64" }>;
type AudioPart = Extract<MessagePart, { readonly type: "audio" }>;

/**
 * Corrects the media type of a part by its bytes: several providers refuse a wrong one. Throws UntranslatableError for
 * a picture with the bytes of another type.
 */
export function fitMedia(part: MessagePart): MessagePart {
  switch (part.type) {
    case "image":
      return part.source.type === "base64" ? fitImage(part, part.source) : part;
    case "file":
      return part.source.type === "base64" ? fitFile(part, part.source) : part;
    case "audio":
      return fitAudio(part);
    case "tool-result": {
      const content = part.content.map((shown) => {
        if (shown.type === "text" || shown.source.type !== "base64") return shown;
        return shown.type === "image" ? fitImage(shown, shown.source) : fitFile(shown, shown.source);
      });
      return content.some((shown, index) => shown !== part.content[index]) ? { ...part, content } : part;
    }
    default:
      return part;
  }
}

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"],
  ["application/x-pdf", "application/pdf"],
]);

function fitImage(part: ImagePart, source: Base64Source): ImagePart {
  const found = sniffMediaType(source.data);
  if (found !== undefined && !found.startsWith("image/")) {
    const message = `messages hold a picture whose bytes are ${found}: send it as a file, or as a recording.`;
    throw new UntranslatableError("messages", message);
  }
  return withType(part, source, found ?? plainType(source.mediaType));
}

function fitFile(part: FilePart, source: Base64Source): FilePart | ImagePart {
  const found = sniffMediaType(source.data);
  if (found?.startsWith("image/")) {
    return { type: "image", source: { ...source, mediaType: found }, cache: part.cache };
  }
  const named = plainType(source.mediaType);
  const isNameless = named === "" || named === "application/octet-stream";
  return withType(part, source, found ?? (isNameless && isText(source.data) ? "text/plain" : named));
}

function withType<Part extends ImagePart | FilePart>(part: Part, source: Base64Source, mediaType: string): Part {
  return mediaType === source.mediaType ? part : { ...part, source: { ...source, mediaType } };
}

function plainType(mediaType: string): string {
  const [type = ""] = mediaType.split(";");
  const plain = type.trim().toLowerCase();
  return OTHER_NAMES.get(plain) ?? plain;
}

function isText(base64: string): boolean {
  const bytes = Buffer.from(base64, "base64");
  return bytes.length > 0 && isUtf8(bytes) && !bytes.includes(0);
}

const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/aiff", "aiff"],
  ["audio/aac", "aac"],
  ["audio/ogg", "ogg"],
  ["audio/flac", "flac"],
  ["audio/mp4", "m4a"],
]);

/** Some callers send a data URL instead of base64. */
function fitAudio(part: AudioPart): AudioPart {
  const data = readDataUrl(part.data)?.data ?? part.data;
  const encoding = ENCODINGS.get(sniffMediaType(data) ?? "") ?? part.encoding;
  return encoding === part.encoding && data === part.data ? part : { ...part, data, encoding };
}

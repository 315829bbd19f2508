/** Base64 characters that contain every signature below. */
const HEAD_LETTERS = 64;

/**
 * File signatures as Latin-1 patterns (a dot is any byte) and their media types; the first match wins. Source: WHATWG
 * MIME Sniffing, "Matching a MIME type pattern"
 */
const MARKS: readonly (readonly [mark: RegExp, mediaType: string])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG/, "image/png"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^RIFF.{4}WAVE/s, "audio/wav"],
  [/^FORM.{4}AIF[FC]/s, "audio/aiff"],
  [/^(?:II\*\0|MM\0\*)/, "image/tiff"],
  [/^.{4}ftypavi[fs]/s, "image/avif"],
  [/^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s, "image/heic"],
  [/^.{4}ftypM4[AB] /s, "audio/mp4"],
  [/^.{4}ftypqt {2}/s, "video/quicktime"],
  [/^.{4}ftyp/s, "video/mp4"],
  // Its first byte is a control character (0x1A).
  [/^.E\xdf\xa3/s, "video/webm"],
  [/^(?:\xef\xbb\xbf)?\s*%PDF-/, "application/pdf"],
  [/^ID3/, "audio/mpeg"],
  [/^\xff[\xf0\xf1\xf8\xf9]/, "audio/aac"],
  [/^\xff[\xe2-\xe7\xf2-\xf7\xfa-\xfd]/, "audio/mpeg"],
  [/^fLaC/, "audio/flac"],
  [/^OggS/, "audio/ogg"],
];

/** Media type of base64 data; undefined without a known signature. */
export function sniffMediaType(base64: string): string | undefined {
  const head = Buffer.from(base64.slice(0, HEAD_LETTERS), "base64").toString("latin1");
  return MARKS.find(([mark]) => mark.test(head))?.[1];
}

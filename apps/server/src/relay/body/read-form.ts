import { isUtf8 } from "node:buffer";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { RelayError } from "../errors/index.ts";
import type { RequestBody } from "./parse-request.ts";
import type { FieldSpan } from "./scan-body.ts";

interface FormFile {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly span: FieldSpan;
}

export interface FormBody extends RequestBody {
  readonly form: { readonly contentType: string; readonly boundary: string; readonly files: readonly FormFile[] };
}

/** Boundary characters: RFC 2046, 5.1.1. */
const FORM_TYPE =
  /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))[ \t]*$/i;
const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 4 * 1024;
const MAX_FIELD_BYTES = 256 * 1024;
const FIELD_NAME = /^[\w.-]{1,64}(?:\[\])?$/;
const LINE_END = "\r\n";

/** Fields that the gateway reads: each at most once, and under no similar name that a server might accept. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  "file",
  "frame_count",
  "mask",
  "model",
  "n",
  "output_format",
  "partial_images",
  "prompt",
  "quality",
  "response_format",
  "sequential_image_generation",
  "sequential_image_generation_options",
  "size",
  "stream",
]);
const FILE_FIELDS: ReadonlySet<string> = new Set(["file", "mask"]);

export function isFormBody(body: RequestBody): body is FormBody {
  return "form" in body;
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\//i.test(contentType ?? "");
}

/** Reads a form (RFC 7578) without copying files. Refuses syntax that servers interpret differently. Throws a 400 RelayError. */
export function readForm(bytes: Buffer, contentType: string): FormBody {
  const [, quoted, plain] = FORM_TYPE.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (boundary === "" || boundary.endsWith(" ")) {
    throw badForm("Send the form with content-type multipart/form-data and one boundary.");
  }
  const files: FormFile[] = [];
  const values = new Map<string, string | string[]>();
  const fields = new Map<string, FieldSpan>();
  for (const part of partsOf(bytes, boundary)) {
    const isList = part.name.endsWith("[]");
    refuseUnclear(part.name, fields);
    if (!isList) fields.set(part.name, part.span);
    if (part.fileName === undefined) {
      const value = readText(bytes, part);
      if (isList) values.set(part.name, [...listAt(values, part.name), value]);
      else values.set(part.name, value);
    } else {
      // Some servers take a file with an empty name for a plain field.
      if (KNOWN_FIELDS.has(part.name) && !FILE_FIELDS.has(part.name)) {
        throw badForm(`The field ${part.name} came as a file. Send it as a plain field.`, part.name);
      }
      files.push({ ...part, fileName: part.fileName });
    }
  }
  const json: JsonRecord = Object.fromEntries(values);
  return { bytes, fields, json, outline: json, form: { contentType, boundary, files } };
}

function listAt(values: ReadonlyMap<string, string | string[]>, name: string): readonly string[] {
  const value = values.get(name);
  return Array.isArray(value) ? value : [];
}

/** Refuses a repeated name, except `image`, and a name that some servers take for a known one. */
function refuseUnclear(name: string, fields: ReadonlyMap<string, FieldSpan>): void {
  if (fields.has(name) && name !== "image") throw badForm(`The form has the field ${name} twice. Send it once.`, name);
  const known = name.replace(/\[\]$/, "").toLowerCase();
  if (KNOWN_FIELDS.has(known) && known !== name) {
    throw badForm(`The field ${name} is not known. Write it as ${known}.`, name);
  }
}

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string;
  readonly span: FieldSpan;
}

function readText(bytes: Buffer, { name, span: { start, end } }: Part): string {
  const text = bytes.subarray(start, end);
  if (text.length > MAX_FIELD_BYTES) throw badForm(`The field ${name} is longer than ${MAX_FIELD_BYTES} bytes.`, name);
  if (!isUtf8(text)) throw badForm(`The field ${name} is not valid UTF-8.`, name);
  return text.toString();
}

function* partsOf(bytes: Buffer, boundary: string): Generator<Part> {
  const mark = Buffer.from(`--${boundary}`, "latin1");
  if (bytes.indexOf(mark) !== 0) throw badForm("The form does not begin with its boundary.");
  let at = mark.length;
  for (let parts = 0; ; parts += 1) {
    const after = bytes.toString("latin1", at, at + 2);
    if (after === "--") {
      const rest = bytes.toString("latin1", at + 2, at + 5);
      if (rest === "" || rest === LINE_END) return;
      throw badForm("Something follows the form's last boundary.");
    }
    if (after !== LINE_END) throw badForm("A line with the boundary holds something else.");
    if (parts === MAX_PARTS) throw badForm(`The form has more than ${MAX_PARTS} parts.`);
    const next = bytes.indexOf(mark, at);
    if (next === -1) throw badForm("The form ends before its last boundary.");
    if (bytes.toString("latin1", next - 2, next) !== LINE_END) {
      throw badForm("The boundary stands inside of a line. Choose one that the files do not hold.");
    }
    yield readPart(bytes, at + 2, next - 2);
    at = next + mark.length;
  }
}

function readPart(bytes: Buffer, start: number, end: number): Part {
  const headEnd = bytes.subarray(start, Math.min(end, start + MAX_HEADER_BYTES)).indexOf("\r\n\r\n");
  if (headEnd === -1) throw badForm("A part of the form has no head, or too long a one.");
  const headers = readHeaders(bytes.toString("latin1", start, start + headEnd));
  const disposition = readDisposition(headers.get("content-disposition") ?? "");
  const name = disposition.get("name") ?? "";
  if (!FIELD_NAME.test(name)) throw badForm("A part of the form has no name, or one that no field has.");
  return {
    name,
    fileName: disposition.get("filename") ?? disposition.get("filename*"),
    contentType: headers.get("content-type") ?? "",
    span: { start: start + headEnd + 4, end },
  };
}

const PART_HEADERS: ReadonlySet<string> = new Set(["content-disposition", "content-type", "content-length"]);

function readHeaders(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split(LINE_END)) {
    const [, name = "", value = ""] = /^([A-Za-z-]+):[ \t]*([^\r\n]*)$/.exec(line) ?? [];
    const known = name.toLowerCase();
    if (!PART_HEADERS.has(known)) throw badForm("A part of the form has a header that is not known here.");
    if (headers.has(known)) throw badForm(`A part of the form has the header ${known} twice.`);
    headers.set(known, value.trim());
  }
  return headers;
}

/** No other parameter is allowed: some servers take `name*` for the name (RFC 2231). */
const PARAMETER = /;[ \t]*(name|filename\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/iy;

/** Parses Content-Disposition (RFC 6266). */
function readDisposition(value: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const unclear = () => badForm("A part of the form has a Content-Disposition that cannot be read.");
  if (!/^form-data/i.test(value)) throw unclear();
  PARAMETER.lastIndex = "form-data".length;
  let end = PARAMETER.lastIndex;
  for (let found = PARAMETER.exec(value); found !== null; found = PARAMETER.exec(value)) {
    const [, name = "", quoted, plain = ""] = found;
    if (parameters.has(name.toLowerCase())) throw unclear();
    parameters.set(name.toLowerCase(), quoted ?? plain);
    end = PARAMETER.lastIndex;
  }
  if (value.slice(end).trim() !== "") throw unclear();
  return parameters;
}

export function withModel({ bytes, fields, json, form }: FormBody, model: string): Buffer {
  if (json["model"] === model) return bytes;
  const span = fields.get("model");
  if (span === undefined) {
    const head = `--${form.boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`;
    return Buffer.concat([Buffer.from(head), bytes]);
  }
  return Buffer.concat([bytes.subarray(0, span.start), Buffer.from(model), bytes.subarray(span.end)]);
}

function badForm(message: string, field?: string): RelayError {
  const param = field === undefined ? {} : { param: field.slice(0, 64) };
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_form", message, ...param });
}

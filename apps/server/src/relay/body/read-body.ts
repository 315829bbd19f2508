import { isUtf8 } from "node:buffer";
import { RelayError } from "../relay-error.ts";
import { type FieldSpan, findFields } from "./json-fields.ts";

/** A caller's JSON body: as it came, and as it reads. */
export interface RelayBody {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Reads a body. Throws a 400 RelayError that says what is wrong with it. */
export function readBody(bytes: Buffer): RelayBody {
  if (!isUtf8(bytes)) throw badBody("The body is not valid UTF-8.");
  const fields = findFields(bytes);
  const json = parseObject(bytes);
  if (json === undefined)
    throw badBody("The body is not a valid JSON object. Send one with content-type application/json.");
  if (fields === undefined) throw badBody("The body nests deeper than 128 levels or names a field twice.");
  return { bytes, fields, json };
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(bytes.toString());
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badBody(message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_json", message });
}

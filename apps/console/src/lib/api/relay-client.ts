import { basePath } from "../base-path.ts";
import { REQUEST_ID_HEADER } from "@one-api/contract/constants";
import type { ErrorValues } from "@one-api/contract/error-codes";
import type { RefusalValues } from "@one-api/contract/logs/refusal-values";
import { fieldsOf } from "../values/read-values.ts";
import { readRefusalValues } from "../values/refusal-values.ts";
import { ApiError } from "./api-error.ts";

/** Names what of a request the provider had no place for. */
const DROPPED_HEADER = "x-dropped-fields";

interface RelayCall {
  /** With its prefix. It is sent once and kept nowhere. */
  readonly key: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

export interface RelayStream {
  readonly requestId: string;
  readonly dropped: readonly string[];
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const textOrNothing = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

interface RelayWords {
  readonly message: string | undefined;
  readonly code: string | undefined;
  readonly values: RefusalValues;
}

/** The words of an error as the relay writes it, without the request's id, which is shown beside it; and the numbers in them. */
export function relayWords(error: unknown): RelayWords {
  const { message, code, values } = fieldsOf(error);
  return {
    message: textOrNothing(message)?.replace(/ \(request id: [^)]*\)$/, ""),
    code: textOrNothing(code),
    values: readRefusalValues(values),
  };
}

function setValues(values: RefusalValues): ErrorValues {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

async function errorOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => undefined);
  const { message, code, values } = relayWords(fieldsOf(answer)["error"]);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    kind: "http",
    status: response.status,
    message: message ?? `${response.status} ${response.statusText}`.trim(),
    code,
    values: { ...setValues(values), ...(Number.isFinite(seconds) ? { seconds: Math.ceil(seconds) } : {}) },
    requestId: response.headers.get(REQUEST_ID_HEADER) ?? undefined,
  });
}

/** Calls the relay as any of its callers would: with a key, and without the session. */
async function send(path: string, { key, body, signal }: RelayCall): Promise<Response> {
  try {
    return await fetch(basePath + path, {
      method: "POST",
      credentials: "omit",
      cache: "no-store",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiError({ kind: "network", status: 0, message }, { cause: error });
  }
}

/**
 * Opens a stream at a path of the relay. Throws ApiError with the relay's code and values; `values.seconds` is the time
 * to wait, if known.
 */
export async function openRelayStream(path: string, call: RelayCall): Promise<RelayStream> {
  const response = await send(path, call);
  if (!response.ok || response.body === null) throw await errorOf(response);
  const dropped = response.headers.get(DROPPED_HEADER) ?? "";
  return {
    requestId: response.headers.get(REQUEST_ID_HEADER) ?? "",
    dropped: dropped.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
    bytes: response.body,
  };
}

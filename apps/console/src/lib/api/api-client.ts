import { basePath } from "../base-path.ts";
import type { Schema } from "@one-api/contract/call";
import type { CallsByAddress } from "@one-api/contract/calls";
import { REQUEST_ID_HEADER, TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import type { ErrorValues } from "@one-api/contract/error-codes";
import type * as z from "zod/mini";
import { ApiError } from "./api-error.ts";
import { plainText } from "./plain-text.ts";
import { fieldsOf } from "../values/read-values.ts";
import { recoverSession } from "../state/session.ts";

/** Method and path of a call, as the contract declares them: `GET /api/token/:id`. */
export type Address = keyof CallsByAddress;

type Part<Name extends string, Input extends Schema> = [z.input<Input>] extends [undefined]
  ? { [name in Name]?: never }
  : Partial<z.input<Input>> extends z.input<Input>
    ? { [name in Name]?: z.input<Input> }
    : { [name in Name]: z.input<Input> };

type InputParts<At extends Address> = Part<"params", CallsByAddress[At]["params"]> &
  Part<"query", CallsByAddress[At]["query"]> &
  Part<"body", CallsByAddress[At]["body"]>;

/** Path parameters, query and body of a call, each only where the call has one, and a signal to abort it. */
type CallInput<At extends Address> = InputParts<At> & { signal?: AbortSignal };

type InputArguments<At extends Address> =
  Partial<InputParts<At>> extends InputParts<At> ? [input?: CallInput<At>] : [input: CallInput<At>];

/** `data` of a call's answer. The server validates every answer, so its type holds without a second validation here. */
export type CallData<At extends Address> = z.output<CallsByAddress[At]["data"]>;

interface LooseInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

interface LooseEnvelope {
  readonly success: boolean;
  readonly data: unknown;
  readonly message: string;
  readonly code: string | undefined;
  readonly values: ErrorValues;
  readonly field: string | undefined;
}

const textOrNothing = (value: unknown) => (typeof value === "string" ? value : undefined);

function isErrorValue(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === "string" || typeof entry[1] === "number";
}

/** Returns undefined for an answer that is not from this API. */
function envelopeOf(answer: unknown): LooseEnvelope | undefined {
  const { success, data, message, code, values, field } = fieldsOf(answer);
  if (typeof success !== "boolean") return undefined;
  return {
    success,
    data,
    message: textOrNothing(message) ?? "",
    code: textOrNothing(code),
    values: Object.fromEntries(Object.entries(fieldsOf(values)).filter(isErrorValue)),
    field: textOrNothing(field),
  };
}

function entriesOf(part: unknown): [string, unknown][] {
  return typeof part === "object" && part !== null ? Object.entries(part) : [];
}

function splitAddress(address: Address): { method: string; path: string } {
  const [method = "", path = ""] = address.split(" ");
  return { method, path };
}

function urlOf(address: Address, input: LooseInput): string {
  let { path } = splitAddress(address);
  for (const [name, value] of entriesOf(input.params))
    path = path.replace(`:${name}`, encodeURIComponent(plainText(value)));
  const query = new URLSearchParams();
  for (const [name, values] of entriesOf(input.query)) {
    for (const value of [values].flat())
      if (value !== undefined && value !== null) query.append(name, plainText(value));
  }
  const text = query.toString();
  return basePath + path + (text === "" ? "" : `?${text}`);
}

/** Returns the URL of a call, for a link to its answer. */
export function callUrl<At extends Address>(address: At, ...[input]: InputArguments<At>): string {
  return urlOf(address, input ?? {});
}

async function send(address: Address, input: LooseInput): Promise<Response> {
  try {
    return await fetch(urlOf(address, input), {
      method: splitAddress(address).method,
      credentials: "same-origin",
      headers: {
        // Mails are written in the language that the reader chose here.
        "accept-language": document.documentElement.lang,
        ...(input.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: input.signal ?? null,
    });
  } catch (error) {
    if (input.signal?.aborted === true) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiError({ kind: "network", status: 0, message }, { cause: error });
  }
}

async function readEnvelope(response: Response): Promise<LooseEnvelope | undefined> {
  const answer: unknown = await response.json().catch(() => undefined);
  return envelopeOf(answer);
}

function errorOf(response: Response, envelope: LooseEnvelope | undefined): ApiError {
  const refused = response.ok && envelope !== undefined;
  return new ApiError({
    kind: refused ? "refused" : "http",
    status: response.status,
    message: envelope?.message || `${response.status} ${response.statusText}`.trim(),
    code: envelope?.code,
    values: envelope?.values,
    field: envelope?.field,
    requestId: response.headers.get(REQUEST_ID_HEADER) ?? undefined,
    isForeign: envelope === undefined,
  });
}

interface Answer<Data> {
  data: Data;
  response: Response;
}

// The envelope is read from the network; the contract gives the type of its data.
async function exchangeOnce<At extends Address>(address: At, input: LooseInput): Promise<Answer<CallData<At>>>;
async function exchangeOnce(address: Address, input: LooseInput): Promise<Answer<unknown>> {
  const response = await send(address, input);
  const envelope = await readEnvelope(response);
  if (!response.ok || envelope?.success !== true) throw errorOf(response, envelope);
  return { data: envelope.data, response };
}

/** Returns what removes the cause of the error, so that the call can be repeated; undefined when nothing does. */
function remedyOf(address: Address, error: unknown): (() => Promise<boolean>) | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // A login would wait for itself.
  if (error.status === 401) return address.startsWith("POST /api/user/login") ? undefined : recoverSession;
  // Loaded when a call needs it: the login page never does.
  if (error.code === "proof-needed") return async () => (await import("../state/owner-proof.ts")).askForProof();
  return undefined;
}

/** Repeats the call after a login that a lost session made necessary, or after a proof that the server asked for. */
async function exchange<At extends Address>(address: At, input: LooseInput): Promise<Answer<CallData<At>>> {
  try {
    return await exchangeOnce(address, input);
  } catch (error) {
    if ((await remedyOf(address, error)?.()) !== true) throw error;
    return exchangeOnce(address, input);
  }
}

/**
 * Makes a call of the control API and returns its data. After an expired session with unsaved work, asks for a login
 * and repeats the call. Throws ApiError; shows nothing.
 */
export async function callApi<At extends Address>(address: At, ...[input]: InputArguments<At>): Promise<CallData<At>> {
  const { data } = await exchange(address, input ?? {});
  return data;
}

export interface RowList<Data> {
  readonly rows: Data;
  readonly total: number;
}

/** Like callApi, for list calls: returns the rows with the total from the response header. */
export async function callApiList<At extends Address>(
  address: At,
  ...[input]: InputArguments<At>
): Promise<RowList<CallData<At>>> {
  const { data, response } = await exchange(address, input ?? {});
  return { rows: data, total: Number(response.headers.get(TOTAL_COUNT_HEADER)) };
}

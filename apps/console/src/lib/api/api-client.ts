import type { Call } from "@one-api/contract/call";
import { REQUEST_ID_HEADER, TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import type { ErrorValues } from "@one-api/contract/error-codes";
import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import { parseLeniently } from "./lenient-parse.ts";
import { plainText } from "./plain-text.ts";
import { fieldsOf } from "../values/read-values.ts";
import { recoverSession } from "../state/session.ts";

/** Address that every path is appended to; empty is the console's own origin. */
const BASE_ADDRESS = "";

type Part<Name extends string, Schema extends z.ZodType> = [z.input<Schema>] extends [undefined]
  ? { [name in Name]?: never }
  : Partial<z.input<Schema>> extends z.input<Schema>
    ? { [name in Name]?: z.input<Schema> }
    : { [name in Name]: z.input<Schema> };

type InputParts<C extends Call> = Part<"params", C["params"]> & Part<"query", C["query"]> & Part<"body", C["body"]>;

/** What a call takes: its path parameters, query and body, each only where the call has one, and a signal to give up. */
type CallInput<C extends Call> = InputParts<C> & { signal?: AbortSignal };

type InputArguments<C extends Call> =
  Partial<InputParts<C>> extends InputParts<C> ? [input?: CallInput<C>] : [input: CallInput<C>];

/** The data that a call answers. */
export type CallData<C extends Call> = z.output<C["data"]>;

interface LooseInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** What of an answer is as expected. Other fields are kept: older servers put data there. */
interface LooseEnvelope {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  readonly message: string;
  readonly code: string | undefined;
  readonly values: ErrorValues;
  readonly field: string | undefined;
}

const textOrNothing = (value: unknown) => (typeof value === "string" ? value : undefined);

function isErrorValue(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === "string" || typeof entry[1] === "number";
}

/** Reads an answer; undefined when it is none of this API. */
function envelopeOf(answer: unknown): LooseEnvelope | undefined {
  const fields = fieldsOf(answer);
  const { success, message, code, values, field } = fields;
  if (typeof success !== "boolean") return undefined;
  return {
    fields,
    success,
    message: textOrNothing(message) ?? "",
    code: textOrNothing(code),
    values: Object.fromEntries(Object.entries(fieldsOf(values)).filter(isErrorValue)),
    field: textOrNothing(field),
  };
}

function entriesOf(part: unknown): [string, unknown][] {
  return typeof part === "object" && part !== null ? Object.entries(part) : [];
}

function addressOf(call: Call, input: LooseInput): string {
  let path = call.path;
  for (const [name, value] of entriesOf(input.params))
    path = path.replace(`:${name}`, encodeURIComponent(plainText(value)));
  const query = new URLSearchParams();
  for (const [name, value] of entriesOf(input.query)) {
    if (value !== undefined && value !== null) query.set(name, plainText(value));
  }
  const text = query.toString();
  return BASE_ADDRESS + path + (text === "" ? "" : `?${text}`);
}

/** The address of a call, for a link to what it answers. */
export function callAddress<C extends Call>(call: C, ...[input]: InputArguments<C>): string {
  return addressOf(call, input ?? {});
}

async function send(call: Call, input: LooseInput): Promise<Response> {
  try {
    return await fetch(addressOf(call, input), {
      method: call.method,
      credentials: "same-origin",
      headers: {
        // What the page is shown in, which its reader may have chosen: mails are written in it.
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

/** Older servers answer some fields beside `success` only. */
function dataOf(call: Call, envelope: LooseEnvelope): unknown {
  const { data } = envelope.fields;
  if (data !== undefined && data !== null) return data;
  if (call.repeatedAtTopLevel.length > 0)
    return Object.fromEntries(call.repeatedAtTopLevel.map((name) => [name, envelope.fields[name]]));
  return null;
}

interface Answer<C extends Call> {
  data: CallData<C>;
  response: Response;
}

async function exchangeOnce<C extends Call>(call: C, input: LooseInput): Promise<Answer<C>> {
  const response = await send(call, input);
  const envelope = await readEnvelope(response);
  if (!response.ok || envelope?.success !== true) throw errorOf(response, envelope);
  // What a call answers with nothing in it is of no use to anybody, whatever the server puts there.
  const data: unknown = call.data.type === "null" ? null : dataOf(call, envelope);
  try {
    return { data: parseLeniently<C["data"]>(call.data, data, `${call.method} ${call.path}`), response };
  } catch (error) {
    throw new ApiError(
      { kind: "http", status: response.status, message: `unexpected answer from ${call.path}` },
      { cause: error },
    );
  }
}

/** What can be done about the error, so that the call may be sent once more; undefined for nothing. */
function remedyOf(call: Call, error: unknown): (() => Promise<boolean>) | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401 && call.access !== "anyone") return recoverSession;
  // Loaded when a call needs it: the login page never does.
  if (error.code === "proof-needed") return async () => (await import("../state/owner-proof.ts")).askForProof();
  return undefined;
}

/** Sends the call once more after a login that a lost session made necessary, or after a proof that the server asked for. */
async function exchange<C extends Call>(call: C, input: LooseInput): Promise<Answer<C>> {
  try {
    return await exchangeOnce(call, input);
  } catch (error) {
    if ((await remedyOf(call, error)?.()) !== true) throw error;
    return exchangeOnce(call, input);
  }
}

/**
 * Makes a call of the control API and returns its data. A session that ended meanwhile is asked for where something would
 * be lost without it; the call then goes on.
 * Throws ApiError; shows nothing to the user.
 */
export async function callApi<C extends Call>(call: C, ...[input]: InputArguments<C>): Promise<CallData<C>> {
  const { data } = await exchange(call, input ?? {});
  return data;
}

/** Rows of a list call and, from servers that say it, how many there are in all. */
export interface RowList<Data> {
  readonly rows: Data;
  readonly total: number | undefined;
}

/** Like callApi, for list calls: the rows with the total of the response header where there is one. */
export async function callApiList<C extends Call>(
  call: C,
  ...[input]: InputArguments<C>
): Promise<RowList<CallData<C>>> {
  const { data, response } = await exchange(call, input ?? {});
  const header = response.headers.get(TOTAL_COUNT_HEADER);
  const total = header === null ? Number.NaN : Number(header);
  return { rows: data, total: Number.isInteger(total) && total >= 0 ? total : undefined };
}

import assert from "node:assert/strict";
import type { Call } from "@one-api/contract/call";
import { type Envelope, envelopeSchema } from "@one-api/contract/envelope";
import type { FastifyInstance, InjectOptions } from "fastify";
import { z } from "zod";

export interface TestInput {
  readonly params?: Readonly<Record<string, string | number>>;
  /** A list is a repeated parameter. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Undefined if the body is not an envelope. */
  readonly envelope: Envelope | undefined;
}

/** A client that stores cookies like a browser, or sends an access token. */
export interface TestClient {
  send(call: Pick<Call, "method" | "path">, input?: TestInput): Promise<TestAnswer>;
  /** Fails unless the call succeeds, and returns its data. */
  data<C extends Call>(call: C, input?: TestInput): Promise<z.output<C["data"]>>;
  sessionId(): string | undefined;
  deviceMarks(): string | undefined;
}

interface ClientStart {
  readonly sessionId?: string;
  /** The cookie of the accounts that know this browser. */
  readonly deviceMarks?: string;
  /** Sent as `Authorization`. */
  readonly accessToken?: string;
}

const SESSION_COOKIE = "session";
const BROWSER_COOKIE = "browser";
const STEP_COOKIE = "step";
const DEVICE_COOKIE = "device";

/** Without a login at first, unless it gets a session or token. */
export function createTestClient(app: FastifyInstance, start: ClientStart = {}): TestClient {
  let sessionId = start.sessionId;
  let browserId: string | undefined;
  let stepId: string | undefined;
  let deviceMarks = start.deviceMarks;
  const authorization = start.accessToken === undefined ? {} : { authorization: start.accessToken };

  async function send(call: Pick<Call, "method" | "path">, input: TestInput = {}): Promise<TestAnswer> {
    const request: InjectOptions = {
      method: call.method,
      url: addressOf(call.path, input),
      headers: { ...authorization, ...input.headers },
      cookies: {
        ...(sessionId === undefined ? {} : { [SESSION_COOKIE]: sessionId }),
        ...(browserId === undefined ? {} : { [BROWSER_COOKIE]: browserId }),
        ...(stepId === undefined ? {} : { [STEP_COOKIE]: stepId }),
        ...(deviceMarks === undefined ? {} : { [DEVICE_COOKIE]: deviceMarks }),
      },
    };
    if (input.body !== undefined) {
      request.payload = typeof input.body === "string" ? input.body : JSON.stringify(input.body);
      request.headers = { "content-type": "application/json", ...request.headers };
    }
    const response = await app.inject(request);
    for (const cookie of response.cookies) {
      if (cookie.name === SESSION_COOKIE) sessionId = cookie.value === "" ? undefined : cookie.value;
      if (cookie.name === BROWSER_COOKIE) browserId = cookie.value;
      if (cookie.name === DEVICE_COOKIE) deviceMarks = cookie.value;
      if (cookie.name === STEP_COOKIE) stepId = cookie.value === "" ? undefined : cookie.value;
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      envelope: readEnvelope(response.payload),
    };
  }

  return {
    send,
    data: async (call, input) => {
      const answer = await send(call, input);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.envelope?.success, true, answer.text);
      return z.parse<(typeof call)["data"]>(call.data, answer.envelope?.data);
    },
    sessionId: () => sessionId,
    deviceMarks: () => deviceMarks,
  };
}

function addressOf(path: string, { params = {}, query = {} }: TestInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, String(one));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

function readEnvelope(text: string): Envelope | undefined {
  try {
    return envelopeSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "./serve-on-loopback.ts";

interface Identity {
  /** GitHub's number; Lark and WeChat use it as a text. */
  readonly id: number;
  readonly name: string;
}

/** Server that acts as GitHub, Lark, a WeChat server and Turnstile, as strict as the real ones. */
export interface IdentityProvider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Issues a code for a login of this user; it is valid once. */
  issueCode(identity: Identity): string;
  signInAs(identity: Identity): void;
  /** Issues an answer that passes the human check once. */
  issueHumanAnswer(): string;
  failNext(requests: number): void;
  /** Received requests: method, path, and the body if any. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Returns the gateway's options for logins through the provider as GitHub, Lark and WeChat. */
export function settingsFor({ url, clientId, clientSecret }: IdentityProvider): Record<string, string> {
  return {
    GitHubAddress: `${url}/`,
    GitHubClientId: clientId,
    GitHubClientSecret: clientSecret,
    GitHubOAuthEnabled: "true",
    LarkAddress: url,
    LarkClientId: clientId,
    LarkClientSecret: clientSecret,
    WeChatServerAddress: url,
    WeChatServerToken: clientSecret,
    WeChatAuthEnabled: "true",
  };
}

interface ProviderState {
  readonly codes: Map<string, Identity>;
  readonly accessTokens: Map<string, Identity>;
  readonly humanAnswers: Set<string>;
  readonly requests: string[];
  readonly callback: string | undefined;
  current: Identity;
  failures: number;
}

const CLIENT = { clientId: "gateway-client", clientSecret: "gateway-secret" } as const;

/** Starts the provider on a free loopback port. `callback` is the address registered at GitHub, whose requests contain none. */
export async function startIdentityProvider(callback?: string): Promise<IdentityProvider> {
  const state: ProviderState = {
    callback,
    codes: new Map(),
    accessTokens: new Map(),
    humanAnswers: new Set(),
    requests: [],
    current: { id: 1, name: "Octo Cat" },
    failures: 0,
  };
  const { url, close } = await serveOnLoopback((request, response) => void answer(state, request, response));
  return {
    url,
    ...CLIENT,
    requests: state.requests,
    issueCode: (identity) => issue(state.codes, identity),
    signInAs: (identity) => {
      state.current = identity;
    },
    issueHumanAnswer: () => {
      const given = randomUUID();
      state.humanAnswers.add(given);
      return given;
    },
    failNext: (requests) => {
      state.failures = requests;
    },
    close,
  };
}

function issue(into: Map<string, Identity>, identity: Identity): string {
  const code = randomUUID();
  into.set(code, identity);
  return code;
}

async function answer(state: ProviderState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const url = new URL(request.url ?? "/", "http://provider");
  state.requests.push(`${request.method} ${url.pathname}${url.search} ${body}`);
  if (state.failures > 0) {
    state.failures -= 1;
    response.writeHead(500).end("broken");
    return;
  }
  if (url.pathname.endsWith("/authorize") || url.pathname.endsWith("/authen/v1/index"))
    return leadBack(state, url, response);
  const found = answerOf(state, url, request.headers.authorization ?? "", body);
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { message: "Not Found" }));
}

/** Redirects at once: the user always agrees. */
function leadBack(state: ProviderState, url: URL, response: ServerResponse): void {
  const target = url.searchParams.get("redirect_uri") ?? state.callback;
  if (target === undefined) return void response.writeHead(400).end("no redirect_uri");
  const back = new URL(target);
  back.searchParams.set("code", issue(state.codes, state.current));
  back.searchParams.set("state", url.searchParams.get("state") ?? "");
  response.writeHead(302, { location: back.href }).end();
}

function answerOf(state: ProviderState, url: URL, authorization: string, body: string): unknown {
  const bearer = state.accessTokens.get(authorization.replace(/^Bearer /, ""));
  switch (url.pathname) {
    case "/login/oauth/access_token":
    case "/open-apis/authen/v2/oauth/token":
      return exchange(state, new Map(Object.entries(readObject(body))));
    case "/api/v3/user":
      return bearer === undefined ? undefined : { id: bearer.id, login: "octo", name: bearer.name };
    case "/open-apis/authen/v1/user_info":
      return bearer === undefined
        ? { code: 20005, msg: "invalid token" }
        : { code: 0, data: { open_id: `ou_${bearer.id}`, name: bearer.name } };
    case "/api/wechat/user": {
      const code = url.searchParams.get("code") ?? "";
      const identity = authorization === CLIENT.clientSecret ? state.codes.get(code) : undefined;
      state.codes.delete(code);
      return { success: true, message: "", data: identity === undefined ? "" : `wx_${identity.id}` };
    }
    case "/turnstile/v0/siteverify": {
      const form = new URLSearchParams(body);
      const passes =
        form.get("secret") === CLIENT.clientSecret && state.humanAnswers.delete(form.get("response") ?? "");
      return { success: passes };
    }
    default:
      return undefined;
  }
}

/** Exchanges a code for an access token, once; GitHub answers a refusal with status 200 too. */
function exchange(state: ProviderState, input: ReadonlyMap<string, unknown>): unknown {
  const code = String(input.get("code"));
  const identity = state.codes.get(code);
  state.codes.delete(code);
  const isClient = input.get("client_id") === CLIENT.clientId && input.get("client_secret") === CLIENT.clientSecret;
  if (identity === undefined || !isClient) return { error: "bad_verification_code" };
  return { access_token: issue(state.accessTokens, identity), token_type: "bearer" };
}

function readObject(json: string): object {
  const value: unknown = JSON.parse(json);
  return typeof value === "object" && value !== null ? value : {};
}

import assert from "node:assert/strict";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { Endpoint, Provider, UpstreamCall } from "../provider.ts";
import { providerOf } from "../registry.ts";
import { silentIo } from "./silent-io.ts";

export const EMPTY_BODY = Buffer.from("{}");

/** Data of a channel at this address; empty for the provider's own. */
export function connectionTo(baseUrl: string, rest: Partial<ChannelConnection> = {}): ChannelConnection {
  return { baseUrl, key: "sk-test", organization: "", other: "", config: {}, ...rest };
}

/** The provider of a channel type; fails the test without one. */
export function workingProvider(type: number): Provider {
  const provider = providerOf(type);
  assert.ok(provider !== undefined, `type ${type} works`);
  return provider;
}

/** The call of an empty request. Fails the test where the provider does not serve the endpoint, or asks its server first. */
export function callOf(
  type: number,
  connection: ChannelConnection,
  endpoint: Endpoint = "chat-completions",
  formatHeaders: Readonly<Record<string, string>> = {},
  model = "some-model",
): UpstreamCall {
  const call = workingProvider(type)
    .serve(endpoint, model)
    ?.call({ body: EMPTY_BODY, stream: false, formatHeaders }, connection, silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise), `type ${type} serves ${endpoint}`);
  return call;
}

/** Address of such a call. */
export function urlOf(
  type: number,
  baseUrl: string,
  endpoint: Endpoint = "chat-completions",
  rest: Partial<ChannelConnection> = {},
): string {
  return callOf(type, connectionTo(baseUrl, rest), endpoint).address.url;
}

/** The body that the provider of a type sends for a chat. */
export function sentBy(type: number, request: object, { model = "some-model", stream = true, rest = {} }): unknown {
  const service = workingProvider(type).serve("chat-completions", model);
  const asked = { body: Buffer.from(JSON.stringify(request)), stream, formatHeaders: {} };
  const call = service?.call(asked, connectionTo("https://host.example", rest), silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise));
  return JSON.parse(call.body.toString());
}

import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { connectionPart, isKnownRegion } from "@one-api/contract/channels/channel-needs";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../../failure.ts";
import type { UpstreamCall } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { appendPath, baseUrlOf, hasVersion, withoutVersion } from "../../shared/upstream-url.ts";
import { exchangeDocument } from "./access-token.ts";

export interface VertexAccount {
  readonly type: ChannelType;
  readonly connection: ChannelConnection;
  readonly region: string;
  readonly project: string;
  /** JSON document of a service account; empty for an API key, which is sent unchanged. */
  readonly document: string;
}

/** Reads the key's components, else the config's. A key without components is an API key where the config has no credentials. */
export function accountOf(type: ChannelType, connection: ChannelConnection): VertexAccount {
  return {
    type,
    connection,
    region: connectionPart(type, connection, "region"),
    project: connectionPart(type, connection, "vertex_ai_project_id"),
    document: connectionPart(type, connection, "vertex_ai_adc"),
  };
}

export interface VertexPath {
  /** API version, unless the channel or its address names one. */
  readonly version: "v1" | "v1beta1";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Returns the address of a path in the account's project and region. Throws UncallableChannelError without either.
 * Source: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
 */
export function projectUrl(account: VertexAccount, asked: VertexPath): string {
  return plainUrl(account, { ...asked, path: `/${placeOf(account)}${asked.path}` });
}

function placeOf(account: VertexAccount): string {
  const { project } = account;
  if (project === "") throw new UncallableChannelError("project");
  return `projects/${encodeURIComponent(project)}/locations/${regionOf(account)}`;
}

/** Returns the full name of Google's model, as sessions require it. Throws UncallableChannelError without project or region. */
export function modelPath(account: VertexAccount, model: string): string {
  return `${placeOf(account)}/publishers/google/models/${model}`;
}

/**
 * Returns the address of sessions, the same for all models. Source:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-live
 */
export function sessionUrl(account: VertexAccount): string {
  const base = baseOf(account);
  const { api_version: named = "" } = account.connection.config;
  const version = named === "" ? "v1beta1" : named;
  return appendPath(withoutVersion(base), `/ws/google.cloud.aiplatform.${version}.LlmBidiService/BidiGenerateContent`);
}

/** Returns the address of the account's region, or that of the channel. Throws UncallableChannelError without either. */
export function addressOfRegion(account: VertexAccount): string {
  return baseOf(account).href;
}

function baseOf(account: VertexAccount): URL {
  const { type, connection } = account;
  return connection.baseUrl === "" ? new URL(hostOf(regionOf(account))) : baseUrlOf(type, connection);
}

export function plainUrl(account: VertexAccount, { version, path, query = {} }: VertexPath): string {
  const { connection } = account;
  const base = baseOf(account);
  const named = connection.config.api_version || version;
  const url = new URL(appendPath(base, (hasVersion(base) ? "" : `/${named}`) + path));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function regionOf({ type, region }: VertexAccount): string {
  if (isKnownRegion(type, region)) return region;
  throw new UncallableChannelError(region === "" ? "region" : "known-region");
}

function hostOf(region: string): string {
  if (region === "global") return "https://aiplatform.googleapis.com";
  const isLarge = region === "us" || region === "eu";
  return isLarge ? `https://aiplatform.${region}.rep.googleapis.com` : `https://${region}-aiplatform.googleapis.com`;
}

/** Returns the headers with the account's credentials. Rejects with ProviderFailedError where Google issues no token. */
export async function authorize(account: VertexAccount, io: ProviderIo): Promise<Record<string, string>> {
  const { document, connection } = account;
  if (document === "") return { "x-goog-api-key": connection.key };
  const token = await io.tokens.get(
    ownerOf(account),
    () => io.nowMs(),
    () => exchangeDocument(document, io),
  );
  return { authorization: `Bearer ${token}` };
}

/** A changed document has other tokens. */
function ownerOf({ document }: VertexAccount): string {
  return `vertex ${document}`;
}

/** Sends a request; one that is refused for an expired token is sent again with a new one. */
export async function callAs(
  account: VertexAccount,
  call: UpstreamCall,
  io: ProviderIo,
  isRenewed = false,
): Promise<UpstreamCall> {
  const right = await authorize(account, io);
  const { url, headers } = call.address;
  return {
    ...call,
    address: { url, headers: { ...headers, ...right } },
    renew(failure) {
      const [, token = ""] = /^Bearer (.*)$/.exec(right.authorization ?? "") ?? [];
      if (failure.status !== 401 || token === "") return undefined;
      io.tokens.forget(ownerOf(account), token);
      return isRenewed ? undefined : callAs(account, call, io, true);
    },
  };
}

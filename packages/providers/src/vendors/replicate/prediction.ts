import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { NO_CONNECTION, ProviderFailedError } from "../../failure.ts";
import { predictionFailure, readReplicateError } from "./format.ts";
import type { ProviderRequest } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";

export interface ReplicateAccount {
  readonly type: ChannelType;
  readonly connection: ChannelConnection;
  readonly io: ProviderIo;
}

/** Creating a prediction is quick; it runs afterwards. */
const CREATE_TIMEOUT_MS = 30_000;
const NOTHING = Buffer.alloc(0);

/** Returns the path for a model's name, or for the version after it. Throws for an invalid name. */
function targetOf(model: string): { readonly path: string; readonly more: JsonRecord } {
  const [, owner, name, version] = /^([\w.-]+)\/([\w.-]+)(?::([0-9a-f]{64}))?$/.exec(model) ?? [];
  if (owner === undefined || name === undefined || owner.startsWith(".") || name.startsWith(".")) {
    const message = `${model} is no model of Replicate: its models are an owner and a name, such as meta/meta-llama-3-8b-instruct.`;
    throw new ProviderFailedError({ ...predictionFailure(message), kind: "unknown-model", status: 404 });
  }
  if (version !== undefined) return { path: "/v1/predictions", more: { version: `${owner}/${name}:${version}` } };
  return { path: `/v1/models/${owner}/${name}/predictions`, more: {} };
}

/** Creates a prediction; `moreHeaders` are sent in addition. Rejects with ProviderFailedError. */
export async function createPrediction(
  { type, connection, io }: ReplicateAccount,
  model: string,
  { body }: ProviderRequest,
  moreHeaders: Readonly<Record<string, string>> = {},
): Promise<JsonRecord> {
  const { path, more } = targetOf(model);
  const asked = { ...recordOf(parseJson(body.toString())), ...more };
  const url = unversionedUrl(type, connection, path);
  const headers = { ...bearerHeaders(connection), "content-type": "application/json", ...moreHeaders };
  const question = { url, headers, body: Buffer.from(JSON.stringify(asked)), timeoutMs: CREATE_TIMEOUT_MS };
  const reply = await io.ask({ method: "POST", ...question }).catch(() => {
    throw new ProviderFailedError(NO_CONNECTION);
  });
  const prediction = recordOf(parseJson(reply.text));
  if (reply.status > 299 || textOf(prediction.id) === "") {
    throw new ProviderFailedError(readReplicateError(reply.status, reply.headers, reply.text));
  }
  return prediction;
}

/** A prediction runs on after its reader has disconnected, so it must be cancelled. */
export async function cancelPrediction({ type, connection, io }: ReplicateAccount, { id }: JsonRecord): Promise<void> {
  const url = unversionedUrl(type, connection, `/v1/predictions/${encodeURIComponent(textOf(id))}/cancel`);
  await io.ask({ method: "POST", url, headers: bearerHeaders(connection), body: NOTHING });
}

import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { connectionPart, isKnownRegion } from "@one-api/contract/channels/channel-needs";
import { splitKey } from "@one-api/contract/channels/channel-key";
import { type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../../failure.ts";
import type { ProviderFormat } from "../../format.ts";
import { bedrockConverse } from "./format.ts";
import { bedrockEmbeddings } from "./embeddings.ts";
import { bedrockPictures } from "./pictures.ts";
import { cohereEmbeddings } from "../../protocols/cohere/cohere.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Endpoint, Provider, ProviderRequest, Service } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { type AwsKeyPair, signAws } from "./sign-aws.ts";
import { appendPath, baseUrlOf } from "../../shared/upstream-url.ts";
import { bedrockModelId } from "./model-ids.ts";

interface Account {
  readonly type: ChannelType;
  /** Empty where the channel names an address, and its key has no region. */
  readonly region: string;
  /** Undefined for an API key of Bedrock, which is sent unchanged. */
  readonly keyPair: AwsKeyPair | undefined;
}

/** Amazon Bedrock: chats by Converse, embeddings and pictures by InvokeModel. Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html */
export function bedrock(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve(endpoint, model) {
      const format = formatOf(endpoint, bedrockModelId(model, ""));
      return format === undefined ? undefined : serviceOf(type, format, model, endpoint);
    },
    regionalAddress: (connection) => addressOf(type, connection, accountOf(type, connection), "bedrock-runtime", ""),
    listModels: (connection, getJson, io) => listModels(type, connection, getJson, io),
  };
}

function formatOf(endpoint: Endpoint, id: string): ProviderFormat | undefined {
  if (endpoint === "chat-completions") return bedrockConverse(id);
  if (endpoint === "image-generations") return bedrockPictures(id);
  return endpoint === "embeddings" ? bedrockEmbeddings(id, cohereEmbeddings) : undefined;
}

function serviceOf(type: ChannelType, format: ProviderFormat, model: string, endpoint: Endpoint): Service {
  return {
    format,
    exact: false,
    async call(request, connection, io) {
      const account = accountOf(type, connection);
      const id = bedrockModelId(model, account.region);
      const path = `/model/${encodeURIComponent(id)}/${actionOf(endpoint, request)}`;
      const url = addressOf(type, connection, account, "bedrock-runtime", path);
      const asked = { method: "POST", url, headers: {}, body: request.body } as const;
      const headers = await headersFor(asked, account, connection, io.nowMs());
      return { address: { url, headers }, body: request.body };
    },
  };
}

function actionOf(endpoint: Endpoint, { stream }: ProviderRequest): string {
  if (endpoint !== "chat-completions") return "invoke";
  return stream ? "converse-stream" : "converse";
}

/** Splits the key; one without components is an API key of Bedrock. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html */
function accountOf(type: ChannelType, connection: ChannelConnection): Account {
  const form = channelTypeInfo(type)?.key;
  const [id, secret] = (form === undefined ? undefined : splitKey(form, connection.key)) ?? [];
  const keyPair = id === undefined || secret === undefined ? undefined : { id, secret };
  return { type, region: connectionPart(type, connection, "region"), keyPair };
}

function addressOf(
  type: ChannelType,
  connection: ChannelConnection,
  account: Account,
  service: "bedrock" | "bedrock-runtime",
  path: string,
): string {
  if (connection.baseUrl !== "") return appendPath(baseUrlOf(type, connection), path);
  const region = regionOf(account);
  return `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}${path}`;
}

function regionOf({ type, region }: Account): string {
  if (isKnownRegion(type, region)) return region;
  throw new UncallableChannelError(region === "" ? "region" : "known-region");
}

async function headersFor(
  request: Parameters<typeof signAws>[0],
  account: Account,
  { key }: ChannelConnection,
  nowMs: number,
): Promise<Record<string, string>> {
  const { keyPair } = account;
  if (keyPair === undefined) return { authorization: `Bearer ${key}` };
  return signAws(request, keyPair, { region: regionOf(account), service: "bedrock" }, new Date(nowMs));
}

const MAX_PAGES = 10;

/** Lists models for chats, embeddings or pictures that accept direct calls, and the profiles of the others. */
async function listModels(
  type: ChannelType,
  connection: ChannelConnection,
  getJson: GetJson,
  io: Pick<ProviderIo, "nowMs">,
): Promise<readonly string[]> {
  const account = accountOf(type, connection);
  const get = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const url = new URL(addressOf(type, connection, account, "bedrock", path));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const request = { method: "GET", url: url.href, headers: {}, body: Buffer.alloc(0) } as const;
    return recordOf(await getJson(url.href, await headersFor(request, account, connection, io.nowMs())));
  };
  const { modelSummaries: models } = await get("/foundation-models");
  if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
  const served = listOf(models)
    .map(recordOf)
    .filter((model) => isServed(model) && isActive(model.modelLifecycle));
  const known = new Set(served.map(({ modelId }) => textOf(modelId)));
  const direct = served.filter(({ inferenceTypesSupported: kinds }) => listOf(kinds).includes("ON_DEMAND"));
  const names = new Set(direct.map(({ modelId }) => textOf(modelId)));
  for (let page = 0, next = ""; page < MAX_PAGES; page += 1) {
    const asked = { maxResults: "1000", ...(next !== "" && { nextToken: next }) };
    const answer = await get("/inference-profiles", asked);
    for (const profile of listOf(answer.inferenceProfileSummaries).map(recordOf)) {
      const id = textOf(profile.inferenceProfileId);
      if (isActive(profile) && known.has(id.replace(/^[a-z-]+\./, ""))) names.add(id);
    }
    next = textOf(answer.nextToken);
    if (next === "") break;
  }
  return [...names].filter((name) => name !== "");
}

function isServed({ outputModalities, modelId }: JsonRecord): boolean {
  const makes = listOf(outputModalities);
  return makes.includes("TEXT") || makes.includes("EMBEDDING") || bedrockPictures(textOf(modelId)) !== undefined;
}

function isActive(item: unknown): boolean {
  return recordOf(item).status === "ACTIVE";
}

import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEnd } from "@one-api/contract/logs/log-end";
import { type JsonRecord, numberOf, parseJson, textOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import { type BatchRow, changeBatch, findBatch, findLineBounds } from "../../features/batches/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { insertStoredObjects } from "../../features/stored-objects/index.ts";
import { type UsageDetail, writeDetail } from "../../features/logs/index.ts";
import type { LogRow, Settlement } from "@one-api/ledger/ledger";
import { BATCH_SHAPES } from "../dialects/index.ts";
import { callStorage, openFile } from "./call-storage.ts";
import { batchTermsSchema, readLineBounds } from "./batch-terms.ts";
import { statusOf } from "./present-batch.ts";
import { OutputSum } from "./sum-output.ts";
import type { BatchServices } from "./batch-services.ts";

interface BatchEnd {
  readonly end: string;
  readonly sum: OutputSum | undefined;
}

/** Charges the output of an ended batch at most once, then publishes its files. Rejects, without effect, if the files are missing. */
export async function settleBatch(
  services: BatchServices,
  batch: BatchRow,
  channel: ChannelForRelay,
  data: JsonRecord,
): Promise<void> {
  let used: { readonly model_tokens?: number } = {};
  if (await services.batches.isOpen(batch.request_id)) {
    const sum = await sumFiles(services, batch, channel, filesOf(data));
    const end = statusOf(data) === "completed" ? "complete" : statusOf(data);
    await services.batches.settle(toSettlement(services, batch, { end, sum }));
    used = { model_tokens: sum.promptTokens + sum.completionTokens };
    if (channel.softLimitUsd > 0) services.checkSpending(channel.id);
  }
  if ((await findBatch(services.database, batch.id))?.state !== "open") return;
  for (const fileId of filesOf(data)) await publishToOwner(services, batch, channel, fileId);
  await changeBatch(services.database, batch.id, { state: "closed", line_bounds: "", ...used });
  const path = `/files/${encodeURIComponent(batch.input_file_id)}`;
  await callStorage(services, { channel, method: "DELETE", path }).catch(() => undefined);
}

export async function releaseBatch(services: BatchServices, batch: BatchRow): Promise<void> {
  const settlement = {
    ...toSettlement(services, batch, { end: "unbooked" satisfies LogEnd, sum: undefined }),
    log: undefined,
  };
  await services.batches.settle(settlement);
}

export async function settleLost(services: BatchServices, batch: BatchRow): Promise<void> {
  await services.batches.settle(toSettlement(services, batch, { end: "lost" satisfies LogEnd, sum: undefined }));
}

function filesOf(data: JsonRecord): readonly string[] {
  return [textOf(data["output_file_id"]), textOf(data["error_file_id"])].filter((id) => id !== "");
}

async function sumFiles(
  services: BatchServices,
  batch: BatchRow,
  channel: ChannelForRelay,
  fileIds: readonly string[],
): Promise<OutputSum> {
  const shape = BATCH_SHAPES.get(batch.endpoint);
  if (shape === undefined) throw new Error(`Batches of ${batch.endpoint} are not known.`);
  const sum = new OutputSum({
    terms: batchTermsSchema.parse(parseJson(batch.terms)),
    bounds: await readLineBounds(await findLineBounds(services.database, batch.id)),
    shape,
    countTokens: services.countTokens,
    calcPrompt: channel.calcPrompt,
  });
  await services.countTokens.load();
  for (const fileId of fileIds) await sum.addFile(await openFile(services, channel, fileId));
  return sum;
}

const STORED_SECONDS = 30 * 24 * 60 * 60;

async function publishToOwner(
  services: BatchServices,
  batch: BatchRow,
  channel: ChannelForRelay,
  fileId: string,
): Promise<void> {
  const { status, json } = await callStorage(services, {
    channel,
    method: "GET",
    path: `/files/${encodeURIComponent(fileId)}`,
  });
  const at = nowSeconds(services.clock);
  const file = status < 300 ? json : { id: fileId, object: "file", created_at: at, purpose: "batch_output" };
  await insertStoredObjects(services.database, [
    {
      object_id: fileId,
      kind: "file",
      user_id: batch.user_id,
      token_id: batch.token_id,
      channel_id: channel.id,
      size: Math.max(0, Math.ceil(numberOf(json["bytes"]) ?? 0)),
      created_at: at,
      expires_at: Math.max(0, Math.ceil(numberOf(json["expires_at"]) ?? at + STORED_SECONDS)),
      data: JSON.stringify(file),
    },
  ]);
}

function toSettlement(services: BatchServices, batch: BatchRow, { end, sum }: BatchEnd): Settlement {
  const at = nowSeconds(services.clock);
  const delivered = sum !== undefined && sum.answered > 0 ? sum : undefined;
  return {
    requestId: batch.request_id,
    userId: batch.user_id,
    tokenId: batch.token_id,
    tokenUnlimited: batch.token_unlimited === 1,
    channelId: batch.channel_id,
    charge: delivered?.charge.charge,
    at,
    log: services.isLogged() ? toLogRow(batch, { end, sum }, at) : undefined,
  };
}

function toLogRow(batch: BatchRow, { end, sum }: BatchEnd, at: number): LogRow {
  const terms = batchTermsSchema.parse(parseJson(batch.terms));
  const durationMs = Math.max(0, at - batch.created_at) * 1000;
  const isDelivered = sum !== undefined && sum.answered > 0;
  const isLost = sum === undefined;
  const detail: UsageDetail = {
    end,
    upstream_model: terms.upstreamModel,
    group: terms.group,
    ...(terms.alias !== undefined && terms.alias !== batch.model && { alias: terms.alias }),
    attempts: [{ channel: batch.channel_id, status: isLost ? 0 : 200, failure: "", duration_ms: durationMs }],
    batch: { lines: sum?.answered ?? 0, failed: sum?.failed ?? 0, factor: terms.factor },
    ...(isDelivered && { charge: sum.charge.describe(sum.rule) }),
    ...(sum !== undefined && sum.notes.length > 0 && { notes: [...sum.notes] }),
  };
  const row = {
    user_id: batch.user_id,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: "",
    username: batch.username,
    token_name: batch.token_name,
    model_name: batch.model,
    prompt_tokens: sum?.promptTokens ?? 0,
    cached_tokens: sum?.cachedTokens ?? 0,
    completion_tokens: sum?.completionTokens ?? 0,
    channel_id: batch.channel_id,
    request_id: batch.request_id,
    elapsed_time: durationMs,
    is_stream: 0,
    detail: "",
    result: isLost ? "provider-failed" : end === "failed" ? "provider-refused" : "ok",
    status_code: isLost ? 0 : 200,
    cost: isDelivered ? (sum.cost?.charge ?? -1) : 0,
    first_byte_ms: 0,
    ...(terms.alias !== undefined && { alias: terms.alias }),
  } satisfies LogRow;
  row.detail = writeDetail(detail, row);
  return row;
}

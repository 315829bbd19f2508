import { reportUsage } from "../../stub-kit/report-usage.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { embeddingVector } from "../../stub-kit/embedding-vector.ts";
import { countField, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, Reply } from "../../stub-kit/call.ts";
import { PIXEL, pictureUrls } from "../../stub-kit/picture-store.ts";
import { countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { chatCompletions } from "../../protocols/openai/stub/completions.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";

const DIMENSIONS = 1_536;
const DONE = { base_resp: { status_code: 0, status_msg: "success" } } as const;
const CODE_OF_STATUS: Readonly<Record<number, number>> = { 400: 2013, 401: 1004, 402: 1008, 429: 1002 };

/** API for pictures and embeddings, whose errors have status 200. Source: https://platform.minimax.io/docs/api-reference/errorcode */
export const miniMaxStub: Stub = {
  apis: [
    {
      routes: { "POST /v1/image_generation": makePictures, "POST /v1/embeddings": embed },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({
        base_resp: { status_code: CODE_OF_STATUS[status] ?? 1000, status_msg: error.message },
      }),
      errorStatus: 200,
    },
    openAiApi({ routes: { "POST /v1/text/chatcompletion_v2": chatCompletions } }),
  ],
};

function refuse(message: string): never {
  throw new RequestRefused(400, openAiErrorBody(`invalid params, ${message}`));
}

const PICTURE_FIELDS = new Set([
  "model",
  "prompt",
  "style",
  "aspect_ratio",
  "width",
  "height",
  "response_format",
  "seed",
  "n",
  "prompt_optimizer",
  "aigc_watermark",
  "subject_reference",
]);

/** POST /v1/image_generation. Source: https://platform.minimax.io/docs/api-reference/image-generation-t2i */
function makePictures(call: Call): Reply {
  readModel(call);
  const { body, id } = call;
  const foreign = Object.keys(body).find((name) => !PICTURE_FIELDS.has(name));
  if (foreign !== undefined) refuse(`unknown field ${foreign}`);
  const { prompt, response_format: form = "url" } = body;
  if (typeof prompt !== "string" || prompt === "" || prompt.length > 1_500) refuse("prompt");
  const count = countField(body, "n", 1) ?? 1;
  if (count > 9) refuse("n");
  for (const side of ["width", "height"].map((name) => countField(body, name, 1) ?? 512)) {
    if (side < 512 || side > 2_048 || side % 8 !== 0) refuse("width and height");
  }
  const urls = pictureUrls(call, count);
  const data: JsonObject = form === "base64" ? { image_base64: urls.map(() => PIXEL) } : { image_urls: urls };
  const metadata = { success_count: String(urls.length), failed_count: "0" };
  return { kind: "json", body: { id, data, metadata, ...DONE }, tokens: 0 };
}

/** POST /v1/embeddings with `texts`. Source: https://platform.minimaxi.com/document/guides/embeddings */
function embed(call: Call): Reply {
  readModel(call);
  const { body, behaviour, settings } = call;
  const texts = inputTexts(listField(body, "texts"));
  if (texts.length === 0) refuse("texts");
  if (body["type"] !== "db" && body["type"] !== "query") refuse("type");
  const vectors = texts.map((text) => Array.from(embeddingVector(text, DIMENSIONS, settings.seed)));
  const counted = reportUsage({ total_tokens: countInputTokens(body["texts"]) }, behaviour);
  return { kind: "json", body: { vectors, ...counted, ...DONE }, tokens: 0 };
}

import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import {
  badField,
  type ImageRequest,
  isElided,
  isFormBody,
  lengthInBody,
  type ParsedRequest,
  parseRequest,
  type PromptUpperBound,
  readCount,
  readFlag,
  type RequestBody,
  type RequestShape,
} from "../body/index.ts";
import { readFormFlag } from "./read-sound-request.ts";
import { RelayError } from "../errors/index.ts";

const DEFAULT_MODEL = "dall-e-2";
const MAX_IMAGES = 10;
const MAX_PARTIAL_IMAGES = 3;
/** Of a GIF. Source: https://platform.openai.com/docs/api-reference/images/create */
const FRAMES = { usual: 9, least: 2, most: 16 };

interface ImageLimits {
  readonly sizes?: readonly string[];
  readonly images?: number;
  readonly promptBytes: number;
}

const OLD_WAN_SIZES = ["1024x1024", "720x1280", "1280x720"];
const STEP_SIZES = ["256x256", "512x512", "768x768", "1024x1024", "1280x800", "800x1280"];
const STABLE_SIZES = ["512x1024", "1024x768", "1024x1024", "576x1024", "1024x576"];

const LIMITS: readonly (readonly [RegExp, ImageLimits])[] = [
  [/^dall-e-2$/, { sizes: ["256x256", "512x512", "1024x1024"], promptBytes: 1_000 }],
  [/^dall-e-3$/, { sizes: ["1024x1024", "1024x1792", "1792x1024"], images: 1, promptBytes: 4_000 }],
  [/^ali-stable-diffusion-/, { sizes: STABLE_SIZES, images: 4, promptBytes: 4_000 }],
  [/^wanx-v1$/, { sizes: OLD_WAN_SIZES, images: 4, promptBytes: 4_000 }],
  [/^cogview-3$/, { images: 1, promptBytes: 833 }],
  [/^step-1x-medium$/, { sizes: STEP_SIZES, images: 1, promptBytes: 4_000 }],
];
const MAX_PROMPT_BYTES = 4 * 32_000;

/** Throws a 400 RelayError that names the field. */
export function readImageRequest(shape: RequestShape, body: RequestBody): ParsedRequest {
  const json = isFormBody(body) ? readValues(body.json) : body.outline;
  const model = json["model"] ?? DEFAULT_MODEL;
  if (shape.endpoint !== "image-variations") checkPrompt(json, limitsOf(model));
  const pictures = countPictures(body);
  if (shape.endpoint !== "image-generations" && pictures === 0) {
    throw badField("image", "Send the picture as the file of the form's field image.");
  }
  return parseRequest(shape, body, {
    ...(pictures > 0 && { prompt: boundPictures(json, pictures) }),
    ...(typeof model === "string" && { model }),
    stream: readFlag(json, "stream"),
    media: readImages(json, model),
  });
}

export function readNumbers(form: JsonRecord): JsonRecord {
  const values: Record<string, unknown> = { ...form };
  for (const field of NUMBERS) {
    const text = form[field];
    if (typeof text === "string" && /^\d{1,6}$/.test(text)) values[field] = Number(text);
  }
  return values;
}

function readValues(form: JsonRecord): JsonRecord {
  const values: Record<string, unknown> = { ...readNumbers(form) };
  if (form["stream"] !== undefined) values["stream"] = readFormFlag("stream", form["stream"]);
  return values;
}

/** Other names of the number of images. A provider that knows one of them obeys it. */
const COUNT_FIELDS = [
  "num_images",
  "number_of_images",
  "numberOfImages",
  "num_images_per_prompt",
  "num_outputs",
  "num_samples",
  "image_count",
  "max_images",
  "samples",
  "sample_count",
  "sampleCount",
  "batch_size",
  "candidate_count",
  "candidateCount",
];
const MAX_OF_OTHERS = 100;

const NUMBERS = ["n", "partial_images", "frame_count", ...COUNT_FIELDS];

function countPictures(body: RequestBody): number {
  if (isFormBody(body)) return body.form.files.length;
  const { images, mask } = body.outline;
  return listOf(images).length + (isRecord(mask) ? 1 : 0);
}

const TOKENS_OF_PICTURE = 8_192;
const FRAME_TOKENS = 64;

function boundPictures({ prompt }: JsonRecord, pictures: number): PromptUpperBound {
  const promptTokens =
    lengthInBody(textOf(prompt)) * MAX_BYTES_PER_LETTER + pictures * TOKENS_OF_PICTURE + FRAME_TOKENS;
  return { promptTokens, audioPromptTokens: 0, hasImages: true, isOpen: false, toolFees: 0, wantsAudio: false };
}

const MAX_BYTES_PER_LETTER = 3;

function limitsOf(model: unknown): ImageLimits {
  return (
    LIMITS.find(([name]) => typeof model === "string" && name.test(model))?.[1] ?? { promptBytes: MAX_PROMPT_BYTES }
  );
}

function checkPrompt({ prompt }: JsonRecord, { promptBytes }: ImageLimits): void {
  if (typeof prompt !== "string" || prompt === "") {
    throw badImage("prompt", "prompt_missing", "The field prompt is missing or empty: say what is to be seen.");
  }
  const bytes = isElided(prompt) ? lengthInBody(prompt) : Buffer.byteLength(prompt);
  if (bytes <= promptBytes) return;
  throw badImage(
    "prompt",
    "prompt_too_long",
    `The prompt has ${bytes} bytes, and the model takes ${promptBytes}. Shorten it.`,
  );
}

function readImages(json: JsonRecord, model: unknown): ImageRequest {
  const { sizes, images: most = MAX_IMAGES } = limitsOf(model);
  const counts = COUNT_FIELDS.map((field) => readCount(json, field, 1, MAX_OF_OTHERS) ?? 1);
  const count = Math.max(readWithin(json, "n", most) ?? 1, readSeries(json), ...counts);
  const size = readWord(json, "size");
  if (size !== "" && size !== "auto" && sizes?.includes(size) === false) {
    throw badImage("size", "size_not_supported", `${String(model)} makes pictures of ${sizes.join(", ")}.`);
  }
  if (json["output_format"] === "svg") {
    throw badField(
      "output_format",
      "svg is not offered here, because another model draws it. Ask for png, jpeg or webp.",
    );
  }
  const isMoving = json["output_format"] === "gif";
  return {
    kind: "image",
    count,
    size: size === "auto" ? "" : size,
    quality: readWord(json, "quality"),
    partialPictures: readCount(json, "partial_images", 0, MAX_PARTIAL_IMAGES) ?? 0,
    frames: isMoving ? (readCount(json, "frame_count", FRAMES.least, FRAMES.most) ?? FRAMES.usual) : 1,
  };
}

/** Seedream's own maximum. Source: https://www.volcengine.com/docs/82379/1541523 */
const MAX_OF_SERIES = 15;

function readSeries(json: JsonRecord): number {
  if (json["sequential_image_generation"] !== "auto") return 0;
  return (
    readCount(recordOf(json["sequential_image_generation_options"]), "max_images", 1, MAX_OF_SERIES) ?? MAX_OF_SERIES
  );
}

function readWithin(json: JsonRecord, field: string, most: number): number | undefined {
  const value = json[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  const range = most === 1 ? "1, as the model makes one picture at a time" : `a whole number from 1 to ${most}`;
  throw badImage(field, "n_not_within_range", `${field} must be ${range}.`);
}

const MAX_WORD_LENGTH = 32;

function readWord(json: JsonRecord, field: string): string {
  const value = json[field] ?? "";
  if (typeof value === "string" && value.length <= MAX_WORD_LENGTH) return value.toLowerCase();
  throw badField(field, `${field} must be a short text, for example "${field === "size" ? "1024x1024" : "high"}".`);
}

function badImage(param: string, code: string, message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code, param, message });
}

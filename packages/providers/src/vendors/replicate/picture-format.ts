import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { nearestRatio, pixelsOf, type PictureRequest } from "../../neutral/picture.ts";
import { readPictures } from "../../protocols/openai/pictures.ts";
import { type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { predictionFailure, readReplicateError } from "./format.ts";

/** Pictures as the output of a prediction: an address or a list of addresses. Source: https://replicate.com/docs/reference/http#predictions.get */
export const replicatePictures: ProviderFormat = {
  name: "replicate-pictures",
  readUsage: () => undefined,
  carriesError: (answer) => recordOf(answer).status !== "succeeded",
  readError(status, headers, body, now) {
    const { error, status: state } = recordOf(parseJson(body));
    if (status > 299 || textOf(state) === "") return readReplicateError(status, headers, body, now);
    return predictionFailure(textOf(error) || `The prediction ended as ${textOf(state)}.`);
  },
  chat: undefined,
  pictures: {
    writeRequest,
    readAnswer: ({ output }) => ({ pictures: readPictures([output].flat()) }),
  },
};

/** OpenAI's own fields, which these models do not have. */
const OF_OPENAI = [
  "background",
  "input_fidelity",
  "moderation",
  "output_compression",
  "partial_images",
  "style",
  "user",
];
/** Fields that would make more pictures than `n`. */
const OF_NUMBERS = [
  "batch_size",
  "max_images",
  "n_images",
  "num_images",
  "num_outputs",
  "num_samples",
  "number_of_images",
  "sequential_image_generation",
  "sequential_image_generation_options",
];

/** Every model has its own schema and ignores unknown fields, so the caller's other fields are forwarded. */
function writeRequest({ prompt, count = 1, size, quality, options, sources, model }: PictureRequest): WrittenRequest {
  const { mask, ...others } = options;
  const left = new Set([...OF_OPENAI, ...OF_NUMBERS]);
  const own = Object.entries(others).filter(([name]) => !left.has(name));
  const pixels = pixelsOf(size);
  const maskAt = textOf(recordOf(mask).image_url) || textOf(mask);
  const input: JsonRecord = {
    prompt,
    ...(count > 1 && { num_outputs: count }),
    ...(pixels !== undefined && { ...pixels, aspect_ratio: nearestRatio(pixels, RATIOS) }),
    ...(quality !== "" && { quality }),
    ...(sources.length > 0 && writeSources(model, sources)),
    ...(maskAt !== "" && { mask: maskAt }),
    ...Object.fromEntries(own),
  };
  const dropped = Object.keys(others).filter((name) => left.has(name));
  return { body: { input }, dropped: size !== "" && pixels === undefined ? ["size", ...dropped] : dropped };
}

/** Aspect ratios that most models accept. */
const RATIOS = ["1:1", "16:9", "9:16", "3:2", "2:3", "4:3", "3:4", "4:5", "5:4", "21:9", "9:21"];

/** Fields of the pictures to edit. Sources: the pages of the models in https://replicate.com/collections/image-editing */
const SOURCE_FIELDS: readonly (readonly [RegExp, { readonly field: string; readonly many: boolean }])[] = [
  [/^openai\/gpt-image/, { field: "input_images", many: true }],
  [/^(?:google\/nano-banana|bytedance\/seedream)/, { field: "image_input", many: true }],
  [/kontext/, { field: "input_image", many: false }],
  [/^qwen\/qwen-image-edit-plus/, { field: "image", many: true }],
];

function writeSources(model: string, sources: readonly string[]): JsonRecord {
  const { field, many } = SOURCE_FIELDS.find(([name]) => name.test(model))?.[1] ?? { field: "image", many: false };
  return { [field]: many ? sources : sources[0] };
}

import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { nearestRatio, pixelsOf, type PictureRequest, takeOptions } from "../../neutral/picture.ts";
import { listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { readPictures } from "../../protocols/openai/pictures.ts";
import { carriesError, readError } from "./read-error.ts";

/** Models of Stability AI that make a picture from a text. Its other models edit pictures, each in a format of its own. */
const MODELS = /stability\.(?:sd3|stable-image-(?:core|ultra))/;
const RATIOS = ["1:1", "16:9", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21"];
const KNOWN = ["aspect_ratio", "negative_prompt", "seed", "mode"];

/**
 * Pictures in the model's own format (InvokeModel); undefined for an unknown model.
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html
 */
export function bedrockPictures(model: string): ProviderFormat | undefined {
  return MODELS.test(model) ? stabilityPictures : undefined;
}

const stabilityPictures: ProviderFormat = {
  name: "bedrock-pictures",
  readUsage: () => undefined,
  carriesError: (answer) => filterOf(answer) !== "" || carriesAnyError(answer),
  readError(status, headers, body, now) {
    const filter = filterOf(parseJson(body));
    const failure = readError(status, headers, body, now);
    return filter === "" ? failure : { ...failure, kind: "bad-request", status: 400, message: filter };
  },
  chat: undefined,
  pictures: {
    writeRequest,
    readAnswer: ({ images }) => ({ pictures: readPictures(listOf(images).map((b64_json) => ({ b64_json }))) }),
  },
};

function carriesAnyError(answer: unknown): boolean {
  return recordOf(answer).images === undefined && carriesError(answer);
}

function filterOf(answer: unknown): string {
  return listOf(recordOf(answer).finish_reasons).map(textOf).find(Boolean) ?? "";
}

/** The model is in the path, and each call makes one picture. */
function writeRequest({ prompt, count = 1, size, quality, options }: PictureRequest): WrittenRequest {
  const { output_format: form, ...others } = options;
  const { taken, dropped } = takeOptions(others, KNOWN);
  const pixels = pixelsOf(size);
  const body = {
    prompt,
    ...(pixels !== undefined && { aspect_ratio: nearestRatio(pixels, RATIOS) }),
    ...(form !== undefined && { output_format: form }),
    ...taken,
  };
  const unsupported = [
    ...(count > 1 ? ["n"] : []),
    ...(size !== "" && pixels === undefined ? ["size"] : []),
    ...(quality === "" ? [] : ["quality"]),
  ];
  return { body, dropped: [...unsupported, ...dropped] };
}

import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { pixelsOf, type PictureRequest, takeOptions } from "../../neutral/picture.ts";
import { recordOf } from "../../shared/json-fields.ts";
import { readPictures } from "../../protocols/openai/pictures.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";

/** Models that answer with base64 in JSON, and their fields. All others answer with bytes, or take a form. */
const MODELS: readonly (readonly [
  name: RegExp,
  known: { readonly options: readonly string[]; readonly sized: boolean },
])[] = [
  [/flux-1-schnell$/, { options: ["steps", "seed"], sized: false }],
  [/lucid-origin$/, { options: ["steps", "num_steps", "guidance", "seed"], sized: true }],
];

export function makesCloudflarePictures(model: string): boolean {
  return MODELS.some(([name]) => name.test(model));
}

/** Pictures of Workers AI, one per call. Source: https://developers.cloudflare.com/workers-ai/models/flux-1-schnell/ */
export const cloudflarePictures: ProviderFormat = {
  name: "cloudflare-pictures",
  readUsage: () => undefined,
  carriesError: (answer) => recordOf(answer).success === false || carriesError(answer),
  readError,
  chat: undefined,
  pictures: {
    writeRequest,
    readAnswer: ({ result }) => ({ pictures: readPictures([{ b64_json: recordOf(result).image }]) }),
  },
};

/** The model is in the path. */
function writeRequest(request: PictureRequest): WrittenRequest {
  const { model, prompt, count = 1, size, quality, options } = request;
  const known = MODELS.find(([name]) => name.test(model))?.[1];
  const { taken, dropped } = takeOptions(options, known?.options ?? []);
  const pixels = known?.sized === true ? pixelsOf(size) : undefined;
  const unsupported = [
    ...(count > 1 ? ["n"] : []),
    ...(size !== "" && pixels === undefined ? ["size"] : []),
    ...(quality === "" ? [] : ["quality"]),
  ];
  return { body: { prompt, ...pixels, ...taken }, dropped: [...unsupported, ...dropped] };
}

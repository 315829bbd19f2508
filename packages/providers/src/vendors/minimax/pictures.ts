import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { nearestRatio, pixelsOf, type PictureRequest, takeOptions } from "../../neutral/picture.ts";
import { type JsonRecord, listOf, recordOf } from "../../shared/json-fields.ts";
import { readPictures } from "../../protocols/openai/pictures.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";

/** Pictures of MiniMax, at most nine per call. Source: https://platform.minimax.io/docs/api-reference/image-generation-t2i */
export const miniMaxPictures: ProviderFormat = {
  name: "minimax-pictures",
  readUsage: () => undefined,
  carriesError,
  readError,
  chat: undefined,
  pictures: {
    writeRequest,
    readAnswer({ data }) {
      const { image_urls: addresses, image_base64: letters } = recordOf(data);
      return { pictures: readPictures([...listOf(addresses), ...listOf(letters).map((b64_json) => ({ b64_json }))]) };
    },
  },
};

const MOST = 9;
const RATIOS = ["1:1", "16:9", "4:3", "3:2", "2:3", "3:4", "9:16", "21:9"];
const KNOWN = ["aspect_ratio", "seed", "prompt_optimizer", "aigc_watermark", "style", "subject_reference"];

function writeRequest(request: PictureRequest): WrittenRequest {
  const { model, prompt, count = 1, size, quality, wantsLetters, options } = request;
  const { taken, dropped } = takeOptions(options, KNOWN);
  const body: JsonRecord = {
    model,
    prompt,
    response_format: wantsLetters ? "base64" : "url",
    ...(count > 1 && { n: Math.min(count, MOST) }),
    ...shapeOf(size),
    ...taken,
  };
  const unsupported = [
    ...(count > MOST ? ["n"] : []),
    ...(size !== "" && pixelsOf(size) === undefined ? ["size"] : []),
    ...(quality === "" ? [] : ["quality"]),
  ];
  return { body, dropped: [...unsupported, ...dropped] };
}

function shapeOf(size: string): JsonRecord {
  const pixels = pixelsOf(size);
  if (pixels === undefined) return {};
  const isMade = [pixels.width, pixels.height].every((side) => side >= 512 && side <= 2_048 && side % 8 === 0);
  return isMade ? pixels : { aspect_ratio: nearestRatio(pixels, RATIOS) };
}

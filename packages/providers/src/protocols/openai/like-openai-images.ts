import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { type PictureAnswer, type PictureRequest, takeOptions } from "../../neutral/picture.ts";
import { type JsonRecord, listOf, numberOf } from "../../shared/json-fields.ts";
import { carriesError, readError } from "../read-error.ts";
import { readPictures } from "./pictures.ts";

/** Deviations of a provider from OpenAI's images; absent: not supported. */
interface ImagesVariant {
  readonly name: string;
  readonly count?: { readonly field: string; readonly most: number };
  readonly sizeField: string;
  readonly hasQuality?: true;
  readonly hasForm?: true;
  writeSources?(sources: readonly string[]): JsonRecord;
  readonly knows: readonly string[];
}

export function imagesLikeOpenAi(variant: ImagesVariant): ProviderFormat {
  return {
    name: variant.name,
    // Their reported tokens do not determine the price.
    readUsage: () => undefined,
    carriesError,
    readError,
    chat: undefined,
    pictures: { writeRequest: (request) => writeRequest(variant, request), readAnswer },
  };
}

function writeRequest(variant: ImagesVariant, request: PictureRequest): WrittenRequest {
  const { model, prompt, count = 1, size, quality, sources, options, wantsLetters } = request;
  const { taken, dropped } = takeOptions(options, variant.knows);
  const most = variant.count?.most ?? 1;
  const counted = count > 1 && variant.count !== undefined ? { [variant.count.field]: Math.min(count, most) } : {};
  const body: JsonRecord = {
    model,
    prompt,
    ...counted,
    ...(size !== "" && { [variant.sizeField]: size }),
    ...(quality !== "" && variant.hasQuality === true && { quality }),
    ...(sources.length > 0 && variant.writeSources?.(sources)),
    ...(variant.hasForm === true && { response_format: wantsLetters ? "b64_json" : "url" }),
    ...taken,
  };
  const unsupported = [
    ...(count > most ? ["n"] : []),
    ...(quality !== "" && variant.hasQuality !== true ? ["quality"] : []),
    ...dropped,
  ];
  return { body, dropped: unsupported };
}

function readAnswer(answer: JsonRecord): PictureAnswer {
  const { data, images, created } = answer;
  const list = listOf(data).length > 0 ? listOf(data) : listOf(images);
  return { pictures: readPictures(list), created: numberOf(created) };
}

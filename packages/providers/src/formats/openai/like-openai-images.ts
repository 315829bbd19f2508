import type { ProviderFormat, WrittenRequest } from "../../format.ts";
import { type PictureAnswer, type PictureRequest, takeWishes } from "../../neutral/picture.ts";
import { type JsonRecord, listOf, numberOf, withoutMissing } from "../../shared/json-fields.ts";
import { carriesError, readError } from "../read-error.ts";
import { readPictures } from "./pictures.ts";

/** How a provider that nearly has OpenAI's images says what OpenAI says otherwise; absent where it cannot say it. */
interface ImagesVariant {
  readonly name: string;
  readonly count?: { readonly field: string; readonly most: number };
  readonly sizeField: string;
  /** Where it is told quality by OpenAI's words. */
  readonly hasQuality?: true;
  /** It is told whether to answer letters or addresses; else it answers addresses. */
  readonly hasForm?: true;
  /** Fields of pictures to be changed. */
  writeSources?(sources: readonly string[]): JsonRecord;
  /** Other fields, by its own names. */
  readonly knows: readonly string[];
}

/** Silicon Flow: up to four pictures of some models, none of others. Source: https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
export const siliconFlowImages = likeOpenAi({
  name: "siliconflow-images",
  count: { field: "batch_size", most: 4 },
  sizeField: "image_size",
  writeSources: ([image, image2, image3]) => withoutMissing({ image, image2, image3 }),
  knows: ["negative_prompt", "seed", "num_inference_steps", "guidance_scale", "cfg", "output_format"],
});

/** Baidu: up to four pictures. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/zm696hdfq */
export const baiduImages = likeOpenAi({
  name: "baidu-images",
  count: { field: "n", most: 4 },
  sizeField: "size",
  writeSources: ([refer_image]) => withoutMissing({ refer_image }),
  knows: ["user", "steps", "seed", "guidance"],
});

/** Zhipu: one picture at a time. Source: https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
export const zhipuImages = likeOpenAi({
  name: "zhipu-images",
  sizeField: "size",
  hasQuality: true,
  knows: ["user_id", "watermark_enabled"],
});

/**
 * Volcengine's Seedream: one picture, or a series of as many as its model sees fit, when `sequential_image_generation` is `auto`.
 * Source: https://www.volcengine.com/docs/82379/1541523
 */
export const seedreamImages = likeOpenAi({
  name: "seedream-images",
  sizeField: "size",
  hasForm: true,
  writeSources: (sources) => ({ image: sources.length === 1 ? sources[0] : sources }),
  knows: [
    "seed",
    "guidance_scale",
    "watermark",
    "output_format",
    "optimize_prompt_options",
    "sequential_image_generation",
    "sequential_image_generation_options",
  ],
});

function likeOpenAi(variant: ImagesVariant): ProviderFormat {
  return {
    name: variant.name,
    // What of them is told in tokens is no measure of what they cost.
    readUsage: () => undefined,
    carriesError,
    readError,
    chat: undefined,
    pictures: { writeRequest: (request) => writeRequest(variant, request), readAnswer },
  };
}

function writeRequest(variant: ImagesVariant, request: PictureRequest): WrittenRequest {
  const { model, prompt, count = 1, size, quality, sources, wishes, wantsLetters } = request;
  const { taken, dropped } = takeWishes(wishes, variant.knows);
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
  const unsaid = [
    ...(count > most ? ["n"] : []),
    ...(quality !== "" && variant.hasQuality !== true ? ["quality"] : []),
    ...dropped,
  ];
  return { body, dropped: unsaid };
}

function readAnswer(answer: JsonRecord): PictureAnswer {
  const { data, images, created } = answer;
  const list = listOf(data).length > 0 ? listOf(data) : listOf(images);
  return { pictures: readPictures(list), created: numberOf(created) };
}

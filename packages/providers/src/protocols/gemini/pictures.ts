import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import {
  nearestRatio,
  type Picture,
  type PictureAnswer,
  type PictureRequest,
  pixelsOf,
  readPictureData,
  takeOptions,
} from "../../neutral/picture.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { carriesError, readError } from "./read-error.ts";
import { readUsage } from "./usage.ts";
import { writeMedium } from "./write-contents.ts";

const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];
const RATIOS_OF_IMAGEN = ["1:1", "3:4", "4:3", "9:16", "16:9"];

/**
 * Pictures by `generateContent`, generated or edited, one at a time. Source:
 * https://ai.google.dev/gemini-api/docs/image-generation
 */
export const geminiPictures: ProviderFormat = {
  name: "gemini-pictures",
  readUsage: pictureUsage,
  carriesError,
  readError,
  chat: undefined,
  pictures: { writeRequest, readAnswer },
};

function writeRequest(request: PictureRequest): WrittenRequest {
  const { model, prompt, count = 1, sources, options } = request;
  const { shape, dropped } = shapeOf(request, RATIOS);
  const { taken, dropped: unknown } = takeOptions(options, ["seed"]);
  const parts = [...sources.map(writeSource), { text: prompt }];
  // The oldest of these models has only one size.
  const { imageSize, ...first } = shape;
  const imageConfig = model.startsWith("gemini-2.") || imageSize === undefined ? first : shape;
  const generationConfig = {
    responseModalities: ["TEXT", "IMAGE"],
    ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
    ...taken,
  };
  const unsupported = [...(count > 1 ? ["n"] : []), ...dropped, ...unknown];
  return { body: { contents: [{ role: "user", parts }], generationConfig }, dropped: unsupported };
}

function writeSource(address: string): JsonRecord {
  return writeMedium({
    type: "image",
    source: readPictureData(address) ?? { type: "url", url: address, mediaType: "" },
  });
}

function readAnswer(answer: JsonRecord): PictureAnswer {
  const parts = listOf(answer.candidates)
    .flatMap((candidate) => listOf(recordOf(recordOf(candidate).content).parts))
    .map(recordOf);
  // Excludes sketches in thoughts.
  const pictures = parts.filter(({ thought }) => thought !== true).flatMap(pictureOfPart);
  return { pictures, usage: pictureUsage(answer) };
}

function pictureOfPart({ inlineData, inline_data: older }: JsonRecord): readonly Picture[] {
  const letters = textOf(recordOf(inlineData ?? older).data);
  return letters === "" ? [] : [{ url: "", letters, revisedPrompt: "" }];
}

/** If the report does not name picture tokens, all but the thoughts count as such. */
function pictureUsage(answer: unknown): Usage | undefined {
  const usage = readUsage(answer);
  return usage === undefined || usage.imageCompletionTokens > 0
    ? usage
    : { ...usage, imageCompletionTokens: usage.completionTokens - usage.reasoningTokens };
}

/** Source: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api */
export const imagenPictures: ProviderFormat = {
  name: "imagen-pictures",
  readUsage: () => undefined,
  carriesError,
  readError,
  chat: undefined,
  pictures: {
    writeRequest(request) {
      const { shape, dropped } = shapeOf(request, RATIOS_OF_IMAGEN);
      const { aspectRatio, imageSize } = shape;
      const { negative_prompt: negativePrompt, output_format: format, ...options } = request.options;
      const { taken, dropped: unknown } = takeOptions(options, ["seed"]);
      const isFormat = format === "png" || format === "jpeg";
      const parameters = {
        sampleCount: request.count ?? 1,
        ...(aspectRatio !== undefined && { aspectRatio }),
        ...(imageSize !== undefined && { sampleImageSize: imageSize }),
        ...(typeof negativePrompt === "string" && { negativePrompt }),
        ...(isFormat && { outputOptions: { mimeType: `image/${format}` } }),
        // A seed only works without the invisible watermark.
        ...(taken.seed !== undefined && { ...taken, addWatermark: false }),
      };
      const unsupported = [...dropped, ...(format === undefined || isFormat ? [] : ["output_format"]), ...unknown];
      return { body: { instances: [{ prompt: request.prompt }], parameters }, dropped: unsupported };
    },
    readAnswer: ({ predictions }) => ({
      pictures: listOf(predictions).flatMap((prediction) => {
        const { bytesBase64Encoded: letters, prompt } = recordOf(prediction);
        return textOf(letters) === "" ? [] : [{ url: "", letters: textOf(letters), revisedPrompt: textOf(prompt) }];
      }),
    }),
  },
};

interface Shape {
  readonly aspectRatio?: string;
  readonly imageSize?: string;
}

function shapeOf(
  { size, quality }: PictureRequest,
  ratios: readonly string[],
): { readonly shape: Shape; readonly dropped: readonly string[] } {
  const unsupported = quality === "" ? [] : ["quality"];
  if (size === "") return { shape: {}, dropped: unsupported };
  if (/^[124]k$/.test(size)) return { shape: { imageSize: size.toUpperCase() }, dropped: unsupported };
  const pixels = pixelsOf(size);
  if (pixels === undefined) return { shape: {}, dropped: ["size", ...unsupported] };
  const longest = Math.max(pixels.width, pixels.height);
  const imageSize = longest > 3_000 ? "4K" : longest > 1_800 ? "2K" : undefined;
  const shape = { aspectRatio: nearestRatio(pixels, ratios), ...(imageSize !== undefined && { imageSize }) };
  return { shape, dropped: unsupported };
}

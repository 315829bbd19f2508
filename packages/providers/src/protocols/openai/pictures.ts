import type { PictureSide } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { type Picture, type PictureAnswer, type PictureRequest, pictureAt } from "../../neutral/picture.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";

/** JSON requests only. Source: https://platform.openai.com/docs/api-reference/images */
export const openAiPictures: PictureSide = { readRequest, writeAnswer, writeEvents };

const READ = new Set(["model", "prompt", "n", "size", "quality", "response_format", "images", "image", "stream"]);
const ALWAYS_LETTERS = /^(?:openai\/)?(?:gpt-|chatgpt-)/;

function readRequest(body: JsonRecord): PictureRequest {
  const { size, quality, response_format: form } = body;
  return {
    model: textOf(body.model),
    prompt: textOf(body.prompt),
    count: numberOf(body.n),
    size: textOf(size) === "auto" ? "" : textOf(size).toLowerCase(),
    quality: textOf(quality) === "auto" ? "" : textOf(quality).toLowerCase(),
    wantsLetters: form === "b64_json" || body.stream === true || ALWAYS_LETTERS.test(textOf(body.model)),
    sources: [...listOf(body.images), ...[body.image].flat()].filter(isGiven).map(readSource),
    options: Object.fromEntries(Object.entries(body).filter(([name, value]) => !READ.has(name) && isGiven(value))),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readSource(source: unknown): string {
  const address = textOf(source) || textOf(recordOf(source).image_url);
  if (address !== "") return address;
  const message = "Name each picture by its address or as a data URL: the provider of this model keeps no files.";
  throw new UntranslatableError("images", message);
}

function writeAnswer({ pictures, created, usage }: PictureAnswer, _asked: PictureRequest, now: number): JsonRecord {
  return {
    created: created ?? now,
    data: pictures.map(writePicture),
    ...(usage !== undefined && { usage: writeUsage(usage) }),
  };
}

function writePicture({ url, letters, revisedPrompt }: Picture): JsonRecord {
  const picture = letters === "" ? { url } : { b64_json: letters };
  return { ...picture, ...(revisedPrompt !== "" && { revised_prompt: revisedPrompt }) };
}

function writeUsage({
  promptTokens,
  imagePromptTokens,
  completionTokens,
}: NonNullable<PictureAnswer["usage"]>): JsonRecord {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { text_tokens: promptTokens - imagePromptTokens, image_tokens: imagePromptTokens },
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Events for complete pictures, without partial ones. The last has the usage. */
function writeEvents({ pictures, created, usage }: PictureAnswer, isEdit: boolean, now: number): string {
  const type = isEdit ? "image_edit.completed" : "image_generation.completed";
  return pictures
    .map((picture, index) => {
      const isLast = index === pictures.length - 1;
      const event = {
        type,
        ...writePicture(picture),
        created_at: created ?? now,
        ...(isLast && usage !== undefined && { usage: writeUsage(usage) }),
      };
      return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}

/** Reads a list of URLs, or of objects with a URL or base64. */
export function readPictures(list: unknown): readonly Picture[] {
  return listOf(list).flatMap((item) => {
    const { url, b64_json: letters, b64_image: older, revised_prompt: revised } = recordOf(item);
    const address = textOf(item) || textOf(url);
    if (address !== "") return [pictureAt(address, textOf(revised))];
    const own = textOf(letters) || textOf(older);
    return own === "" ? [] : [{ url: "", letters: own, revisedPrompt: textOf(revised) }];
  });
}

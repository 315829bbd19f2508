import type { ProviderFormat } from "@one-api/providers/format";
import type { PictureSide, ProviderPictures } from "@one-api/providers/format-sides";
import { SERVER_SENT_EVENTS } from "@one-api/providers/framing/framing";
import type { Picture, PictureAnswer } from "@one-api/providers/neutral/picture";
import type { FetchPicture } from "@one-api/providers/provider-io";
import { isRecord, type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { readDollars } from "@one-api/providers/shared/provider-dollars";
import { NO_USAGE } from "@one-api/providers/usage";
import { isFormBody, type ParsedRequest, type RequestBody } from "../body/index.ts";
import { readNumbers } from "../media/index.ts";
import { MAX_PICTURES_BYTES } from "./pass-images.ts";
import { MAX_ERROR_BYTES, parseAnswer } from "./read-whole-answer.ts";
import type { ReadAnswer, Translation } from "./translation.ts";
import { nameDropped, orRefuse } from "./untranslatable.ts";
import { failureOf } from "@one-api/providers/failure";

interface PictureSides {
  readonly asked: PictureSide;
  readonly served: ProviderPictures;
  readonly provider: ProviderFormat;
  readonly nowSeconds: () => number;
}

/** Answers are read whole, even if a stream was requested. */
export function createPictureTranslation(sides: PictureSides): Translation {
  const { asked, served, provider } = sides;
  return {
    writeRequest: (parsed, { model }) =>
      orRefuse(() => {
        const { body, dropped } = served.writeRequest({ ...asked.readRequest(jsonOf(parsed.body)), model });
        const bytes = Buffer.from(JSON.stringify(body));
        const plain = { systemPrompt: undefined, stream: false, formatHeaders: {} };
        return { body: bytes, dropped: nameDropped(dropped), ...plain };
      }),
    streamType: SERVER_SENT_EVENTS.contentType,
    openStream() {
      throw new Error("There are no streams of pictures that are written anew.");
    },
    takesWhole: true,
    maxAnswerBytes: MAX_PICTURES_BYTES,
    readAnswer(parsed, status, headers, bytes) {
      const answer = parseAnswer(bytes);
      const isSound = isRecord(answer) && Object.keys(answer).length > 0 && !provider.carriesError(answer);
      if (isSound) return readPictures(sides, parsed, withCost(served.readAnswer(answer), answer), status);
      const failure = provider.readError(status, headers, bytes.toString("utf8", 0, MAX_ERROR_BYTES));
      return { ok: false, failure };
    },
    readError: (status, headers, body) => provider.readError(status, headers, body),
    answerText: () => "",
  };
}

function withCost(read: PictureAnswer, answer: JsonRecord): PictureAnswer {
  const providerDollars = readDollars(recordOf(answer["usage"]));
  return providerDollars === 0 ? read : { ...read, usage: { ...(read.usage ?? NO_USAGE), providerDollars } };
}

function readPictures(
  { asked, nowSeconds }: PictureSides,
  { body, endpoint, stream }: ParsedRequest,
  answer: PictureAnswer,
  status: number,
): ReadAnswer {
  const { pictures, usage = NO_USAGE } = answer;
  if (pictures.length === 0) {
    return { ok: false, failure: failureOf("bad-answer", status, "The provider's answer holds no picture.") };
  }
  const request = asked.readRequest(jsonOf(body));
  const now = nowSeconds();
  const write = (written: PictureAnswer) =>
    Buffer.from(
      stream
        ? asked.writeEvents(written, endpoint === "image-edits", now)
        : JSON.stringify(asked.writeAnswer(written, request, now)),
    );
  const complete = async (fetchPicture: FetchPicture) =>
    write({ ...answer, pictures: await fetchAll(pictures, fetchPicture) });
  return {
    ok: true,
    bytes: write(answer),
    usage: { ...usage, images: pictures.length },
    ...(stream && { contentType: "text/event-stream" }),
    ...(request.wantsLetters && pictures.some(({ letters }) => letters === "") && { complete }),
  };
}

/** Sequential, to bound memory. An image that cannot be fetched remains a URL, since it was made and is charged. */
async function fetchAll(pictures: readonly Picture[], fetchPicture: FetchPicture): Promise<readonly Picture[]> {
  const fetched: Picture[] = [];
  for (const picture of pictures) {
    const letters = picture.letters || (await fetchPicture(picture.url).catch(() => ""));
    fetched.push({ ...picture, letters });
  }
  return fetched;
}

function jsonOf(body: RequestBody): JsonRecord {
  if (!isFormBody(body)) return body.json;
  const picturesOf = (wanted: boolean) =>
    body.form.files
      .filter(({ name }) => (name === "mask") === wanted)
      .map(({ contentType, span: { start, end } }) => {
        const type = /^image\/[\w.+-]+$/.test(contentType) ? contentType : "image/png";
        return { image_url: `data:${type};base64,${body.bytes.toString("base64", start, end)}` };
      });
  const [mask] = picturesOf(true);
  return { ...readNumbers(body.json), images: picturesOf(false), ...(mask && { mask }) };
}

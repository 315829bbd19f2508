import type { Format } from "@one-api/providers/format";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import { NO_USAGE } from "@one-api/providers/usage";
import { isFormBody, outlineOf, scanBody } from "../body/index.ts";
import { withModelOfForm } from "./pass-form.ts";
import { createPassThrough } from "./pass-through.ts";
import { MAX_ERROR_BYTES } from "./read-whole-answer.ts";
import type { ReadAnswer, Translation } from "./translation.ts";
import { failureOf } from "@one-api/providers/failure";

/** Ten large images in base64. */
export const MAX_PICTURES_BYTES = 64 * 1024 * 1024;

export function createImagePassThrough(format: Format, countText: (text: string) => number): Translation {
  const plain = createPassThrough(format, countText);
  return {
    ...plain,
    writeRequest: (parsed, edits) =>
      isFormBody(parsed.body) ? withModelOfForm(parsed, edits) : plain.writeRequest(parsed, edits),
    // Some servers cannot stream images and answer whole.
    takesWhole: true,
    maxAnswerBytes: MAX_PICTURES_BYTES,
    readAnswer: (_ask, status, headers, bytes) => readImages(format, status, headers, bytes),
  };
}

function readImages(format: Format, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer {
  const answer = readOutline(bytes);
  if (answer === undefined || format.carriesError(answer)) {
    const failure = format.readError(status, headers, bytes.subarray(0, MAX_ERROR_BYTES).toString());
    return { ok: false, failure };
  }
  const images = countImages(answer);
  if (images === 0) {
    return { ok: false, failure: failureOf("bad-answer", status, "The provider's answer holds no picture.") };
  }
  return { ok: true, bytes, usage: { ...(format.readUsage(answer) ?? NO_USAGE), images } };
}

const OUTLINE_LIMITS = {
  values: 100_000,
  compounds: 100_000,
  wholeBytes: 8 * 1024,
  outlineBytes: 8 * 1024 * 1024,
  pieceBytes: Infinity,
  elidedFields: new Set(["data"]),
};

function readOutline(bytes: Buffer): JsonRecord | undefined {
  try {
    const answer = parseJson(outlineOf(bytes, scanBody(bytes, OUTLINE_LIMITS)));
    return isRecord(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function countImages({ data }: JsonRecord): number {
  return listOf(data).filter((item) => {
    const { b64_json: letters, url } = recordOf(item);
    return textOf(letters) !== "" || textOf(url) !== "";
  }).length;
}

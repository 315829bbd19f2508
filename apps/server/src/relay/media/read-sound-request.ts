import {
  badField,
  isFormBody,
  type ParsedRequest,
  parseRequest,
  type RecordingRequest,
  type RequestBody,
  type RequestShape,
  type SpeechRequest,
} from "../body/index.ts";
import { RelayError } from "../errors/index.ts";
import { type Requester, createMeasureRecording } from "./measure-recordings.ts";

const MAX_CHARACTERS = { openai: 4_096, other: 100_000 } as const;
const OPENAI_SPEECH = /^(?:openai\/)?(?:tts-1|gpt-[\w.-]*-tts)/;
const SPEED = { least: 0.25, most: 4 };

/** Throws a 400 RelayError that names the field. */
export function readSpeechRequest(shape: RequestShape, body: RequestBody): ParsedRequest {
  const { json } = body;
  const { model, input, response_format: audioFormat = "mp3", speed = 1 } = json;
  if (typeof input !== "string" || input === "") throw badField("input", "The field input is missing or empty.");
  const characters = Array.from(input).length;
  const most = typeof model === "string" && OPENAI_SPEECH.test(model) ? MAX_CHARACTERS.openai : MAX_CHARACTERS.other;
  if (characters > most) {
    const message = `input has ${characters} characters, and the model takes ${most}. Send less at a time.`;
    throw new RelayError({
      status: 400,
      type: "invalid_request_error",
      code: "text_too_long",
      param: "input",
      message,
    });
  }
  if (typeof audioFormat !== "string")
    throw badField("response_format", 'response_format must be a text, such as "mp3".');
  if (typeof speed !== "number" || !(speed >= SPEED.least && speed <= SPEED.most)) {
    throw badField("speed", `speed must be a number from ${SPEED.least} to ${SPEED.most}.`);
  }
  const media: SpeechRequest = { kind: "speech", characters, audioFormat: audioFormat.toLowerCase(), speed };
  return parseRequest(shape, body, { stream: true, media });
}

const DEFAULT_MODEL = "whisper-1";
const ANSWER_FORMATS = ["json", "text", "srt", "vtt", "verbose_json", "diarized_json"];
const FRAME_TOKENS = 64;

/** Throws a 400 RelayError that names the field. */
export function readRecordingRequest(shape: RequestShape, body: RequestBody): ParsedRequest {
  if (!isFormBody(body)) throw badField("file", "Send the recording as a form (multipart/form-data).");
  const { json, form } = body;
  const { model = DEFAULT_MODEL, response_format: answerFormat = "json", stream = "false", prompt = "" } = json;
  const [file, ...others] = form.files;
  if (file === undefined || file.name !== "file" || others.length > 0) {
    throw badField("file", "Send one recording as the file of the form's field file.");
  }
  if (typeof answerFormat !== "string" || !ANSWER_FORMATS.includes(answerFormat)) {
    throw badField("response_format", `response_format must be one of ${ANSWER_FORMATS.join(", ")}.`);
  }
  const media: RecordingRequest = {
    kind: "recording",
    bytes: file.span.end - file.span.start,
    length: undefined,
    answerFormat,
  };
  if (media.bytes === 0) throw badField("file", "The recording is empty.");
  const promptTokens = (typeof prompt === "string" ? Buffer.byteLength(prompt) : 0) + FRAME_TOKENS;
  return parseRequest(shape, body, {
    ...(typeof model === "string" && { model }),
    stream: readFormFlag("stream", stream),
    prompt: { promptTokens, audioPromptTokens: 0, hasImages: false, isOpen: false, toolFees: 0, wantsAudio: false },
    media,
  });
}

const lengthOf = createMeasureRecording();

/** Adds the length if the file shows it. Rejects with a 429 RelayError if too many of the account wait. */
export async function measureRecording(parsed: ParsedRequest, requester: Requester): Promise<ParsedRequest> {
  const { media, body } = parsed;
  const part = isFormBody(body) ? body.form.files[0] : undefined;
  if (media?.kind !== "recording" || part === undefined) return parsed;
  const file = body.bytes.subarray(part.span.start, part.span.end);
  const length = await lengthOf({ file, contentType: part.contentType, fileName: part.fileName }, requester);
  return { ...parsed, media: { ...media, length } };
}

export function readFormFlag(field: string, value: unknown): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw badField(field, `${field} must be true or false.`);
}

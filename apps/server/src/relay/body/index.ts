export { badField } from "./bad-field.ts";
export { BodyMemory } from "./memory/body-memory.ts";
export { BufferPool } from "./memory/buffer-pool.ts";
export { inflateBody } from "./inflate-body.ts";
export { editFields, type FieldSpan, findFields } from "./json-fields.ts";
export type { ImageRequest, MediaRequest, RecordingLength, RecordingRequest, SpeechRequest } from "./media-request.ts";
export { beginningInBody, isElided, lengthInBody, outlineOf } from "./outline.ts";
export {
  requestsImages,
  MAX_ANSWERS,
  MAX_TOKENS,
  type ParsedRequest,
  parseRequest,
  readBody,
  readCount,
  readFlag,
  type RequestBody,
  type RequestShape,
} from "./parse-request.ts";
export { promptUpperBound, type PromptUpperBound } from "./prompt-upper-bound.ts";
export { isForm, isFormBody, readForm, withModel } from "./read-form.ts";
export { isLong, readLongBody } from "./read-long-body.ts";
export { type BodyIntake, IncomingBody } from "./receive-body.ts";
export { requestFacts } from "./request-facts.ts";
export { scanBody } from "./scan-body.ts";
export { SEARCH_FIELDS } from "./search-fields.ts";
export { endUnread, isLongUnread } from "./unread-body.ts";

export { anthropic } from "./anthropic.ts";
export type { CallableModel } from "./callable-model.ts";
export { cohere } from "./cohere.ts";
export type { CallPath, Dialect } from "./dialect.ts";
export { gemini, liveFormat, liveRequest } from "./gemini.ts";
export { BATCH_SHAPES, openai, ownRequest } from "./openai.ts";
export { decodePathSegment, headerOf, queryOf } from "./read-credential.ts";
export {
  ARRAY_COMMENT,
  ARRAY_HEADERS,
  DROPPED_HEADER,
  PREFLIGHT_HEADERS,
  responseHeaders,
  SERVED_MODEL_HEADER,
  STREAM_COMMENT,
  STREAM_HEADERS,
  TIMING_HEADER,
} from "./response-headers.ts";

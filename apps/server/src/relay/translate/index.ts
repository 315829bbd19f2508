export { createTranslate, type Translate } from "./choose-translation.ts";
export type { AnswerStream, Translation, WrittenRequest } from "./translation.ts";
export { beginsAsEvents } from "./whole-as-stream.ts";

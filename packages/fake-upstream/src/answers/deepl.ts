import type { JsonObject } from "../json-fields.ts";
import { type OpenAiErrorBody, openAiErrorBody, RequestRefused } from "../refusal.ts";
import type { Call, Endpoint, Reply } from "../reply.ts";
import { composeAnswer } from "./compose-answer.ts";
import { reportUsage } from "./generation.ts";
import { inputTexts } from "./prompt.ts";
import type { SpokenApi } from "./spoken-api.ts";

/** Some of the languages that DeepL translates into. */
const LANGUAGES = ["DE", "EN-GB", "EN-US", "FR", "JA", "PT-BR", "PT-PT", "ZH", "ZH-HANS", "ZH-HANT"];
const MAX_TEXTS = 50;

const endpoints = new Map<string, Endpoint>([
  ["POST /v2/translate", translate],
  ["GET /v2/languages", listLanguages],
]);

/** DeepL's API, which takes JSON and forms. Source: https://developers.deepl.com/api-reference/translate */
export const deepLApi: SpokenApi = {
  isSpoken: ({ path }) => /^\/v2\/(?:translate|languages)$/.test(path),
  readKey: ({ authorization }) => /^DeepL-Auth-Key +(\S+)$/.exec(authorization ?? "")?.[1],
  writeError: (_status: number, { error }: OpenAiErrorBody) => ({ message: error.message }),
  find: (method, path) => endpoints.get(`${method} ${path}`),
};

function refuse(text: string): never {
  throw new RequestRefused(400, openAiErrorBody(text));
}

/** POST /v2/translate: every text comes back as an echo. */
function translate({ body, behaviour, settings }: Call): Reply {
  const texts = inputTexts(body["text"]);
  if (texts.length === 0) refuse("Bad request. Reason: Parameter 'text' not specified.");
  if (texts.length > MAX_TEXTS) refuse("Bad request. Reason: Too many texts.");
  if (!LANGUAGES.includes(String(body["target_lang"]).toUpperCase())) refuse("Value for 'target_lang' not supported.");
  const showsBilled = ["true", "1"].includes(String(body["show_billed_characters"]));
  const answers = texts.map((text) => composeAnswer(text, undefined, behaviour, settings.seed));
  const billed = (text: string): JsonObject | undefined =>
    showsBilled ? reportUsage({ billed_characters: Array.from(text).length }, behaviour) : undefined;
  const translations = answers.map(({ pieces }, index) => ({
    detected_source_language: "EN",
    text: pieces.join(""),
    ...billed(texts[index] ?? ""),
  }));
  return { kind: "json", body: { translations }, tokens: answers.reduce((sum, { pieces }) => sum + pieces.length, 0) };
}

/** GET /v2/languages. */
function listLanguages(): Reply {
  const languages = LANGUAGES.map((language) => ({ language, name: language, supports_formality: false }));
  return { kind: "json", body: languages, tokens: 0 };
}

import { reportUsage } from "../../stub-kit/report-usage.ts";
import type { JsonObject } from "../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, Reply } from "../../stub-kit/call.ts";
import { composeAnswer } from "../../stub-kit/compose-answer.ts";
import { inputTexts } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const LANGUAGES = ["DE", "EN-GB", "EN-US", "FR", "JA", "PT-BR", "PT-PT", "ZH", "ZH-HANS", "ZH-HANT"];
const MAX_TEXTS = 50;

/** Accepts JSON and forms. Source: https://developers.deepl.com/api-reference/translate */
export const deepLStub: Stub = {
  apis: [
    {
      routes: { "POST /v2/translate": translate, "GET /v2/languages": listLanguages },
      readKey: ({ authorization }) => /^DeepL-Auth-Key +(\S+)$/.exec(authorization ?? "")?.[1],
      writeError: (_status, { error }) => ({ message: error.message }),
    },
  ],
};

function refuse(text: string): never {
  throw new RequestRefused(400, openAiErrorBody(text));
}

/** POST /v2/translate; echoes every text. */
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

function listLanguages(): Reply {
  const languages = LANGUAGES.map((language) => ({ language, name: language, supports_formality: false }));
  return { kind: "json", body: languages, tokens: 0 };
}

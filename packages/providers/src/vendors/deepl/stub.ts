import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { composeAnswer } from "../../stub-kit/compose-answer.ts";
import { inputTexts } from "../../stub-kit/prompt.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const LANGUAGES = "DE EN-GB EN-US FR JA PT-BR PT-PT ZH ZH-HANS ZH-HANT".split(" ");
const MAX_TEXTS = 50;

/** Accepts JSON and forms. Source: https://developers.deepl.com/api-reference/translate */
export const deepLStub: Stub = {
  apis: [
    {
      routes: {
        "POST /v2/translate": translate,
        "GET /v2/languages": () =>
          json(LANGUAGES.map((language) => ({ language, name: language, supports_formality: false }))),
      },
      readKey: ({ authorization }) => /^DeepL-Auth-Key +(\S+)$/.exec(authorization ?? "")?.[1],
      writeError: (_status, { error }) => ({ message: error.message }),
    },
  ],
};

function translate({ body, behaviour, settings }: Call): Reply {
  const texts = inputTexts(body["text"]);
  if (texts.length === 0) refuse("Bad request. Reason: Parameter 'text' not specified.");
  if (texts.length > MAX_TEXTS) refuse("Bad request. Reason: Too many texts.");
  if (!LANGUAGES.includes(String(body["target_lang"]).toUpperCase())) refuse("Value for 'target_lang' not supported.");
  const showsBilled = ["true", "1"].includes(String(body["show_billed_characters"]));
  const answers = texts.map((text) => ({ text, ...composeAnswer(text, undefined, behaviour, settings.seed) }));
  const translations = answers.map(({ text, pieces }) => ({
    detected_source_language: "EN",
    text: pieces.join(""),
    ...(showsBilled && reportUsage({ billed_characters: Array.from(text).length }, behaviour)),
  }));
  const tokens = answers.reduce((sum, { pieces }) => sum + pieces.length, 0);
  return json({ translations }, tokens);
}

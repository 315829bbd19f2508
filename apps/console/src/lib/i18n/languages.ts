import { readStored } from "../state/local-storage.ts";
import { STORAGE_KEY } from "../state/storage-keys.ts";

/** Languages of the console with the names that they give themselves. English is the fallback. */
export const LANGUAGES = { en: "English", "zh-CN": "简体中文" } as const;

export type Language = keyof typeof LANGUAGES;

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** The language that was chosen before, else the browser's first one that the console speaks, else English. */
export function detectLanguage(wanted: readonly string[] = navigator.languages): Language {
  const stored = readStored(STORAGE_KEY.language);
  if (stored !== undefined && isLanguage(stored)) return stored;
  for (const language of wanted) {
    const short = language.toLowerCase().split("-")[0];
    if (short === "zh") return "zh-CN";
    if (short === "en") return "en";
  }
  return "en";
}

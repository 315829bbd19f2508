import i18next, { type BackendModule, type ResourceKey } from "i18next";
import { initReactI18next } from "react-i18next";
import enCommon from "../locales/en/common.json";
import enLogin from "../locales/en/login.json";
import enShell from "../locales/en/shell.json";
import zhCommon from "../locales/zh-CN/common.json";
import zhLogin from "../locales/zh-CN/login.json";
import zhShell from "../locales/zh-CN/shell.json";
import { detectLanguage, isLanguage, type Language } from "./languages.ts";
import { loadChunk } from "./load-chunk.ts";
import { writeStored } from "./state/local-storage.ts";
import { STORAGE_KEY } from "./state/storage-keys.ts";

const files = import.meta.glob<ResourceKey>(["../locales/*/*.json", "!../locales/*/{common,login,shell}.json"], {
  import: "default",
});

/** Loads the texts of a page together with the page; common, login and shell are always there. */
const localeFiles: BackendModule = {
  type: "backend",
  init: () => undefined,
  read(language, namespace, done) {
    const load = files[`../locales/${language}/${namespace}.json`];
    if (load === undefined) return done(new Error(`there are no texts ${language}/${namespace}`), null);
    loadChunk(load).then(
      (texts) => done(null, texts),
      (error: unknown) => done(error instanceof Error ? error : String(error), null),
    );
  },
};

/** The console's texts. Outside components call `i18n.t("namespace:key")`. */
export const i18n = i18next;

void i18n
  .use(localeFiles)
  .use(initReactI18next)
  .init({
    lng: detectLanguage(),
    fallbackLng: "en",
    supportedLngs: ["en", "zh-CN"],
    load: "currentOnly",
    ns: ["common", "shell"],
    defaultNS: "common",
    partialBundledLanguages: true,
    resources: {
      en: { common: enCommon, login: enLogin, shell: enShell },
      "zh-CN": { common: zhCommon, login: zhLogin, shell: zhShell },
    },
    interpolation: { escapeValue: false },
    initAsync: false,
  });

function markDocument(language: string): void {
  document.documentElement.lang = language;
}

i18n.on("languageChanged", markDocument);
markDocument(i18n.language);

/** Changes the language of the console and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  writeStored(STORAGE_KEY.language, language);
  await i18n.changeLanguage(language);
}

/** The language that is shown now. */
export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : "en";
}

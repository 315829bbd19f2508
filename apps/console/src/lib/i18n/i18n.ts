import { formatNumber } from "../format.ts";
import { createExternalStore } from "../state/external-store.ts";
import { writeStored } from "../state/local-storage.ts";
import { STORAGE_KEY } from "../state/storage-keys.ts";
import enCommon from "../../locales/en/common.json";
import enLogin from "../../locales/en/login.json";
import enShell from "../../locales/en/shell.json";
import { loadChunk } from "../load-chunk.ts";
import { detectLanguage, type Language } from "./languages.ts";
import type { FullTextKey, Namespace, TextValues } from "./text-keys.ts";

interface TextTree {
  readonly [name: string]: string | TextTree;
}

const FALLBACK: Language = "en";

const files = import.meta.glob<{ readonly default: TextTree }>([
  "../../locales/*/*.json",
  "!../../locales/en/{common,login,shell}.json",
]);

const fileName = (language: Language, namespace: string) => `../../locales/${language}/${namespace}.json`;

/** Loaded texts. The English texts of the first page are always present, as a fallback. */
const loaded = new Map<string, TextTree>([
  [fileName("en", "common"), enCommon],
  [fileName("en", "login"), enLogin],
  [fileName("en", "shell"), enShell],
]);
const loading = new Map<string, Promise<void>>();
const FIRST: readonly Namespace[] = ["common", "login", "shell"];
const used = new Set(FIRST);

const shown = createExternalStore<Language>(detectLanguage());

/** The language that is shown; the component follows it. */
export const useLanguage = shown.use;

export const currentLanguage = shown.get;

function markDocument(): void {
  document.documentElement.lang = currentLanguage();
}

markDocument();

async function loadFile(name: string): Promise<void> {
  const load = files[name];
  if (load === undefined) throw new Error(`there are no texts ${name}`);
  loaded.set(name, (await loadChunk(load)).default);
}

function loadOnce(name: string): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  // The next caller retries a failed load.
  const attempt = loadFile(name).catch((error: unknown) => {
    loading.delete(name);
    throw error;
  });
  loading.set(name, attempt);
  return attempt;
}

const isLoaded = (namespace: Namespace) => loaded.has(fileName(currentLanguage(), namespace));

async function loadAll(namespaces: Iterable<Namespace>, language: Language): Promise<void> {
  const names = [...namespaces].map((namespace) => fileName(language, namespace)).filter((name) => !loaded.has(name));
  await Promise.all(names.map(loadOnce));
}

/** Loads the texts of a page, in the language that is shown; rejects when they do not come. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) used.add(namespace);
  await loadAll(namespaces, currentLanguage());
}

/** Loads what the first page says, in the language that is shown; the page of a build asks for it ahead of the scripts (complete-page.ts). */
export async function loadFirstTexts(): Promise<void> {
  // Without it the page speaks English.
  await loadTexts(FIRST).catch((error: unknown) => console.error(error));
}

/** The load that the namespaces still wait for, the same until it ends; undefined when their texts are there. */
export function pendingTexts(namespaces: readonly Namespace[]): Promise<void> | undefined {
  const missing = namespaces.find((namespace) => !isLoaded(namespace));
  if (missing === undefined) return undefined;
  used.add(missing);
  return loadOnce(fileName(currentLanguage(), missing));
}

/** Shows the console in the language, once the texts that are in use are there in it. */
export async function changeLanguage(language: Language): Promise<void> {
  await loadAll(used, language);
  shown.set(language);
  markDocument();
}

export async function chooseLanguage(language: Language): Promise<void> {
  writeStored(STORAGE_KEY.language, language);
  await changeLanguage(language);
}

function textAt(tree: TextTree | undefined, path: string): string | undefined {
  const found = path
    .split(".")
    .reduce<string | TextTree | undefined>(
      (part, name) => (typeof part === "object" && Object.hasOwn(part, name) ? part[name] : undefined),
      tree,
    );
  return typeof found === "string" ? found : undefined;
}

/** The form of a text for a count. One has its own in every language: what names the one thing need not count it, in Chinese either. */
function formOf(count: number, language: Language): string {
  return count === 1 ? "one" : new Intl.PluralRules(language).select(count);
}

/** Returns a text as it stands in the files, with the names of its values; undefined when it is not there or not loaded. */
export function rawText(
  language: Language,
  namespaces: readonly string[],
  path: string,
  count?: string | number,
): string | undefined {
  for (const known of new Set([language, FALLBACK])) {
    const form = typeof count === "number" ? `${path}_${formOf(count, known)}` : path;
    for (const namespace of namespaces) {
      const tree = loaded.get(fileName(known, namespace));
      const text = textAt(tree, form) ?? textAt(tree, path);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

const placeholder = /( ?)\{\{(\w+)(, number)?\}\}( ?)/g;
const han = /\p{Script=Han}/u;

export function valueNames(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, , name = ""]) => name);
}

/** Space between two characters: in Chinese, "绑定 GitHub" has one and "绑定邮箱" has none. */
function spaceBetween(space: string, left = "", right = ""): string {
  return han.test(left) && han.test(right) ? "" : space;
}

const FROM_RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
/** Marks that turn what follows them around. */
const TURNING_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The value so that the text around it stays in its order: beside a name in Hebrew, and beside one that is meant to mislead. */
function isolated(value: string): string {
  const text = value.replaceAll(TURNING_MARKS, "");
  return FROM_RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Puts the values into a text; `{{count, number}}` is formatted for the language. */
export function fillText(language: Language, text: string, values: TextValues): string {
  const valueOf = (name: string, asNumber: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isFormatted = asNumber !== undefined && typeof value === "number";
    return isFormatted ? formatNumber(value, language) : isolated(String(value ?? ""));
  };
  return [...text.matchAll(placeholder)].reduceRight((filled, match) => {
    const [all, before = "", name = "", asNumber, after = ""] = match;
    const [value, end] = [valueOf(name, asNumber), match.index + all.length];
    const left = spaceBetween(before, text[match.index - 1], value[0]);
    const right = spaceBetween(after, value.at(-1), text[end]);
    return filled.slice(0, match.index) + left + value + right + filled.slice(end);
  }, text);
}

/** Returns the text of a key in the first of the namespaces that has it, with its values; the key itself when none has it. */
export function translate(
  language: Language,
  namespaces: readonly string[],
  key: string,
  values: TextValues = {},
): string {
  const colon = key.indexOf(":");
  const spaces = colon < 0 ? namespaces : [key.slice(0, colon)];
  const text = rawText(language, spaces, key.slice(colon + 1), values["count"]);
  return text === undefined ? key : fillText(language, text, values);
}

/** Returns a text outside of components. */
export const t = (key: FullTextKey, values?: TextValues) => translate(currentLanguage(), [], key, values);

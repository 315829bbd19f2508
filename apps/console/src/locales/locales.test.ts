import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { expect, test } from "vitest";
import specification from "../../../../docs/specification.md?raw";
import { LANGUAGES } from "../lib/i18n/languages.ts";

const files = import.meta.glob<unknown>("./*/*.json", { import: "default", eager: true });

function texts(tree: unknown, path: string): [string, unknown][] {
  if (typeof tree !== "object" || tree === null) return [[path, tree]];
  return Object.entries(tree).flatMap(([key, value]) => texts(value, path === "" ? key : `${path}.${key}`));
}

const variables = (text: unknown) =>
  [...String(text).matchAll(/\{\{\s*(\w+)/g)]
    .map((match) => match[1])
    .toSorted((left = "", right = "") => left.localeCompare(right));

const namespaces = Object.keys(files).flatMap((path) => /^\.\/en\/(.+)\.json$/.exec(path)?.[1] ?? []);
const others = Object.keys(LANGUAGES).filter((language) => language !== "en");
const pairs = others.flatMap((language) => namespaces.map((namespace) => [language, namespace] as const));

/** The texts that the specification quotes, with a variable for what stands in braces. */
const quoted = specification
  .split("\n")
  .filter((line) => line.startsWith("- TEXT-"))
  .flatMap((line) => [...line.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => [text.trim()] as const));

test.each(quoted)("[TEXT-57] English says %s", (text) => {
  const said = namespaces.flatMap((namespace) => texts(files[`./en/${namespace}.json`], "").map(([, value]) => value));
  const english = [DEFAULT_SYSTEM_NAME, ...said];
  const wanted = text.replaceAll(/\{(\w+)\}/g, "{{$1}}").replace(/\.$/, "");
  expect(
    english.some((value) => String(value).startsWith(wanted)),
    text,
  ).toBe(true);
});

test.each(pairs)("[TEXT-55] %s has every text of %s, none empty, with the same variables", (language, namespace) => {
  const english = texts(files[`./en/${namespace}.json`], "");
  const other = new Map(texts(files[`./${language}/${namespace}.json`], ""));
  expect(new Set(other.keys())).toEqual(new Set(english.map(([key]) => key)));
  for (const [key, text] of english) {
    expect(text, `en ${key}`).toBeTypeOf("string");
    expect(String(text).trim(), `en ${key}`).not.toBe("");
    expect(String(other.get(key)).trim(), `${language} ${key}`).not.toBe("");
    expect(variables(other.get(key)), `${language} ${key}`).toEqual(variables(text));
  }
});

test.each(Object.keys(LANGUAGES))(
  "the refusal to keep bodies names the switch as the settings do in %s",
  (language) => {
    const said = new Map(["settings", "refusals"].flatMap((name) => texts(files[`./${language}/${name}.json`], "")));
    const refusal = String(said.get("token-bodies-off"));
    for (const place of ["fields.LogBodiesEnabled", "tabs.operation", "sections.log.title"])
      expect(refusal).toContain(said.get(place) ?? `the text of ${place}`);
  },
);

/** Words that read like a translation, each with the word to use instead. */
const refusedWords = [
  ["everybody", "everyone"],
  ["somebody", "someone"],
  ["nobody", "no one"],
  ["whoever", "users who"],
  ["whom", "who"],
  ["any more", "no longer"],
  ["at once", "immediately"],
  ["of late", "recently"],
  ["by itself", "automatically"],
  ["goes on", "continues"],
  ["told", "alerted"],
  ["pictures?", "image"],
  ["callers?", "client"],
] as const;

test.each(refusedWords)("English does not say %s", (word) => {
  const english = namespaces.flatMap((namespace) => texts(files[`./en/${namespace}.json`], namespace));
  const pattern = new RegExp(String.raw`\b${word}\b`, "i");
  expect(english.filter(([, text]) => pattern.test(String(text)))).toEqual([]);
});

test("Chinese addresses the reader politely throughout; only samples of what people write do not", () => {
  const chinese = namespaces.flatMap((namespace) => texts(files[`./zh-CN/${namespace}.json`], namespace));
  expect(chinese.filter(([, text]) => /你(?!好)/.test(String(text)))).toEqual([]);
});

test.each(Object.keys(LANGUAGES))("%s has one name for a failure in logs, their errors and charts", (language) => {
  const textsOf = (namespace: string) => new Map(texts(files[`./${language}/${namespace}.json`], ""));
  const [logs, dashboard] = [textsOf("logs"), textsOf("dashboard")];
  const kinds = [...dashboard].filter(([key]) => key.startsWith("wall.kinds."));
  expect(kinds.length).toBeGreaterThan(0);
  for (const [key, name] of kinds) expect(name).toBe(logs.get(key.replace("wall.kinds", "results")));
  const ends = {
    "broken-stream": "cut",
    "caller-gone": "caller-gone",
    connection: "connection",
    "rate-limited": "provider-limited",
    "server-error": "provider-failed",
    timeout: "timeout",
  };
  for (const [end, result] of Object.entries(ends)) expect(logs.get(`end.${end}`)).toBe(logs.get(`results.${result}`));
});

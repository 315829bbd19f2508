import { loadChunk } from "../../lib/load-chunk.ts";

type Labels = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function loadLabels(): Promise<readonly Labels[]> {
  const [english, chinese] = await Promise.all([
    loadChunk(() => import("../../locales/en/audit.json")),
    loadChunk(() => import("../../locales/zh-CN/audit.json")),
  ]);
  return [english.default.actions, chinese.default.actions];
}

/** Shorter words are in nearly all labels. Chinese words of one character are long enough. */
const isSearched = (word: string) => word.length > 2 || /\p{Script=Han}/u.test(word);

/**
 * The actions whose label contains a word of the search, in either language, as the API takes them:
 * `created:token.create,user.create`.
 */
export async function actionsOfWords(keyword: string): Promise<string[]> {
  const words = [...new Set(keyword.toLowerCase().split(/\s+/))].filter(isSearched);
  if (words.length === 0) return [];
  const labels = (await loadLabels()).flatMap((language) =>
    Object.entries(language).flatMap(([kind, ofKind]) =>
      Object.entries(ofKind).map(([verb, label]) => [`${kind}.${verb}`, label.toLowerCase()] as const),
    ),
  );
  return words.flatMap((word) => {
    const actions = new Set(labels.filter(([, label]) => label.includes(word)).map(([action]) => action));
    return actions.size === 0 ? [] : [`${word}:${[...actions].join(",")}`];
  });
}

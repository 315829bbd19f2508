import { use, useMemo } from "react";
import { pendingTexts, translate, useLanguage } from "./i18n.ts";
import type { Language } from "./languages.ts";
import type { Namespace, TextKey, TextValues, Translate } from "./text-keys.ts";

interface Translation<Spaces extends Namespace> {
  t: Translate<Spaces>;
  language: Language;
}

/**
 * Texts of the namespaces; renders again when the language changes. A key without a namespace is looked up in each in
 * turn. Suspends until they are loaded.
 */
export function useTranslation<Spaces extends Namespace = "common">(
  ...namespaces: readonly Spaces[]
): Translation<Spaces> {
  const names: readonly Namespace[] = namespaces.length === 0 ? ["common"] : namespaces;
  const language = useLanguage();
  const pending = pendingTexts(names);
  if (pending !== undefined) use(pending);
  const id = names.join();
  const t = useMemo(
    () => (key: TextKey<Spaces>, values?: TextValues) => translate(language, id.split(","), key, values),
    [id, language],
  );
  return { t, language };
}

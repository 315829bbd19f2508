import { useRouter } from "@tanstack/react-router";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { useShortcuts } from "../../../lib/keyboard/use-shortcuts.ts";
import { createExternalStore } from "../../../lib/state/external-store.ts";
import { useMenuEntries } from "../menu-entries.ts";
import { PAGE_KEYS } from "./page-keys.ts";

const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"), ["shortcuts"]);

const opened = createExternalStore(false);

/** Opens the list of the keys that the console understands. */
export const openShortcuts = () => opened.set(true);

/** Presses the control of the page that names the key as its own. Returns false without one. */
function pressControl(key: string): boolean {
  const control = document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${key}"]`);
  control?.click();
  return control !== null;
}

/** Keys of every page: "?" lists them, G and a letter open a page, and a letter alone presses what names it. */
export function ShortcutsGate() {
  const isOpen = opened.use();
  const router = useRouter();
  const chords = useMenuEntries().flatMap(({ name, path }) => {
    const key = PAGE_KEYS[name];
    return path === undefined || key === undefined ? [] : [[`g ${key}`, () => router.history.push(path)] as const];
  });
  useShortcuts({
    ...Object.fromEntries(chords),
    "?": openShortcuts,
    c: () => pressControl("c"),
    e: () => pressControl("e"),
  });
  return isOpen && <ShortcutsDialog onClose={() => opened.set(false)} />;
}

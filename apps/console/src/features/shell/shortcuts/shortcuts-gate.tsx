import { useEffect } from "react";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { isTyping } from "../../../lib/browser/is-typing.ts";
import { createExternalStore } from "../../../lib/state/external-store.ts";

const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"), ["shortcuts"]);

const opened = createExternalStore(false);

/** Opens the list of the keys that the console understands. */
export const openShortcuts = () => opened.set(true);

/** Opens the list of keys with "?", from everywhere but fields. */
export function ShortcutsGate() {
  const isOpen = opened.use();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      opened.set(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return isOpen && <ShortcutsDialog onClose={() => opened.set(false)} />;
}

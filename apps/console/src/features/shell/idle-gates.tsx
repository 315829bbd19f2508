import { useKeptFocus } from "../../lib/browser/use-kept-focus.ts";
import { NoticeGate } from "../notice/notice-gate.tsx";
import { ShortcutsGate } from "./shortcuts/shortcuts-gate.tsx";

/** What may open over every page, but never before the first one stands: the notice, the list of keys; and what keeps the focus. */
export default function IdleGates() {
  useKeptFocus();
  return (
    <>
      <NoticeGate />
      <ShortcutsGate />
    </>
  );
}

import { NoticeGate } from "../notice/notice-gate.tsx";
import { ShortcutsGate } from "./shortcuts/shortcuts-gate.tsx";

/** What may open over every page, but never before the first one stands: the notice, the list of keys. */
export default function IdleGates() {
  return (
    <>
      <NoticeGate />
      <ShortcutsGate />
    </>
  );
}

import { useKeptFocus } from "../../lib/browser/use-kept-focus.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useProofRequest } from "../../lib/state/owner-proof.ts";
import { NoticeGate } from "../notice/notice-gate.tsx";
import { ShortcutsGate } from "./shortcuts/shortcuts-gate.tsx";

const OwnerProofDialog = lazyPart(() => import("../settings/security/owner-proof-dialog.tsx"), ["security"]);

/** The question for the password or a second factor, over a page whose call waits for it. */
function ProofGate() {
  return useProofRequest() !== undefined && <OwnerProofDialog />;
}

/** Overlays of every page, loaded after the first one: notice, shortcuts, proof dialog; and the focus manager. */
export default function IdleGates() {
  useKeptFocus();
  return (
    <>
      <NoticeGate />
      <ShortcutsGate />
      <ProofGate />
    </>
  );
}

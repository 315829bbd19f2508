import { lazyPart } from "../../lib/loading/later-part.ts";
import { createdTokens } from "./token-mutations.ts";
import type { useCopyOrShow } from "./use-copy-or-show.ts";

const CopyByHand = lazyPart(() => import("./copy-by-hand.tsx"));
const CreatedTokensDialog = lazyPart(() => import("./created-tokens-dialog.tsx"));

export function TokenDialogs({ copying }: { copying: ReturnType<typeof useCopyOrShow> }) {
  const { copyOrShow, refused, forget } = copying;
  const created = createdTokens.use();
  return (
    <>
      {created !== undefined && <CreatedTokensDialog created={created} copy={copyOrShow} />}
      {refused !== undefined && <CopyByHand text={refused} onClose={forget} />}
    </>
  );
}

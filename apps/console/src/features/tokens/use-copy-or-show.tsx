import { type ReactNode, useState } from "react";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";

const CopyByHand = lazyPart(() => import("./copy-by-hand.tsx"));

export type CopyText = (text: string, message: string) => void;

/** Copies a text and says so; `byHand` shows a text that the browser refused to copy. */
export function useCopyOrShow(): { copyOrShow: CopyText; byHand: ReactNode } {
  const copy = useCopy();
  const [refused, setRefused] = useState<string>();
  const copyOrShow: CopyText = (text, message) => {
    void copy(text, message).then((copied) => {
      if (!copied) setRefused(text);
    });
  };
  const forget = () => setRefused(undefined);
  return { copyOrShow, byHand: refused !== undefined && <CopyByHand text={refused} onClose={forget} /> };
}

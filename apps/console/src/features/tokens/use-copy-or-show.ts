import { useState } from "react";
import { useCopy } from "../../components/buttons/use-copy.ts";

export type CopyText = (text: string, message: string) => void;

/** Copies a text and says so. Returns a text that the browser refused to copy as `refused`. */
export function useCopyOrShow() {
  const copy = useCopy();
  const [refused, setRefused] = useState<string>();
  const copyOrShow = (text: string, message: string) => {
    void copy(text, message).then((copied) => {
      if (!copied) setRefused(text);
    });
  };
  return { copyOrShow, refused, forget: () => setRefused(undefined) };
}

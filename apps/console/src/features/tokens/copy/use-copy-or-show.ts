import { useState } from "react";
import { useCopy } from "../../../components/use-copy.ts";

/** Copies a text and says so; a text that the browser refuses to copy is kept, to be shown for copying by hand. */
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

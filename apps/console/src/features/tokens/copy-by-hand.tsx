import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import classes from "./copy-by-hand.module.css";

interface CopyByHandProps {
  /** What could not be copied; undefined shows nothing. */
  text: string | undefined;
  onClose(): void;
}

const MOST_ROWS = 10;

/** Shows a text, selected, when the browser refused to copy it. */
export function CopyByHand({ text, onClose }: CopyByHandProps) {
  const { t } = useTranslation("tokens");
  if (text === undefined) return null;
  const rows = Math.min(MOST_ROWS, Math.max(3, text.split("\n").length));
  return (
    <Dialog onClose={onClose} title={t("copyByHand.title")}>
      <Textarea
        data-autofocus
        readOnly
        label={t("copyByHand.hint")}
        rows={rows}
        value={text}
        classNames={{ input: classes.text ?? "" }}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}

/** Copies a text and says the message. */
export type CopyText = (text: string, message: string) => void;

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

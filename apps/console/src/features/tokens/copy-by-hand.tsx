import { Textarea } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import classes from "./copy-by-hand.module.css";

interface CopyByHandProps {
  text: string;
  onClose(): void;
}

const MOST_ROWS = 10;

/** Shows a text, selected, that the browser refused to copy. */
export default function CopyByHand({ text, onClose }: CopyByHandProps) {
  const { t } = useTranslation("tokens");
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

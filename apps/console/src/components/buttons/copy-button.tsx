import { ActionIcon } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCopy } from "./use-copy.ts";

const CHECK_SHOWN_MS = 1_500;

interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
}

/** Copies a text, with a toast; falls back to a request to copy by hand. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [done, setDone] = useState(false);
  const name = label ?? t("copy");
  const onClick = async () => {
    if (!(await copy(typeof text === "string" ? text : text()))) return;
    setDone(true);
    setTimeout(() => setDone(false), CHECK_SHOWN_MS);
  };
  return (
    <ActionIcon aria-label={name} data-tip={name} onClick={() => void onClick()}>
      {done ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </ActionIcon>
  );
}

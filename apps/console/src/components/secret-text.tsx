import { ActionIcon } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "./copy-button.tsx";
import classes from "./secret-text.module.css";

/** Shortens a secret to what recognises it: `sk-abcd…wxyz`. */
export function maskSecret(secret: string): string {
  return secret.length <= 12 ? "••••••••" : `${secret.slice(0, 7)}…${secret.slice(-4)}`;
}

/** A secret, masked until asked for, with a copy button. */
export function SecretText({ secret, label }: { secret: string; label: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const name = t(shown ? "hideSecret" : "showSecret", { label });
  return (
    <span className={classes.secret}>
      <code className={classes.text}>{shown ? secret : maskSecret(secret)}</code>
      <ActionIcon aria-label={name} title={name} onClick={() => setShown(!shown)}>
        {shown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
      </ActionIcon>
      <CopyButton text={secret} label={t("copySecret", { label })} />
    </span>
  );
}

import { CopyButton } from "../buttons/copy-button.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./code-block.module.css";

interface CodeBlockProps {
  code: string;
  shown?: string;
  label?: string;
}

export function CodeBlock({ code, shown = code, label }: CodeBlockProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.block}>
      <pre className={classes.code} data-wraps={!shown.includes("\n")} role="group" aria-label={t("code")} tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} {...(label === undefined ? {} : { label })} />
      </div>
    </div>
  );
}

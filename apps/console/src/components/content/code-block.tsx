import { Fragment, type ReactNode } from "react";
import { CopyButton } from "../buttons/copy-button.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./code-block.module.css";

interface CodeBlockProps {
  code: string;
  shown?: string;
  label?: string;
}

/** Longer texts, in characters, are not read line by line. */
const MOST_READ = 4_000;

/** A quoted name with a hyphen, at which browsers would break it; short enough for a line of every screen. */
const HYPHENED_NAME = /^(?=.{1,28}$)["'][\w.…]+-[\w.…-]+["']\W*$/;

/** Offers line breaks after the signs between names, so that no name is torn. A copy has none of it. */
function withBreaks(text: string): ReactNode {
  if (text.length > MOST_READ) return text;
  return text.split(/(?<=[/=,:])|(?<=\s)(?=\S)|(?<=\S)(?=\s)/).map((piece, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other key
    <Fragment key={index}>
      {HYPHENED_NAME.test(piece) ? <span className={classes.name}>{piece}</span> : piece}
      <wbr />
    </Fragment>
  ));
}

export function CodeBlock({ code, shown = code, label }: CodeBlockProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.block}>
      <div className={classes.copy}>
        <CopyButton text={code} {...(label === undefined ? {} : { label })} />
      </div>
      <pre className={classes.code} role="group" aria-label={t("code")} tabIndex={0}>
        <code>{withBreaks(shown)}</code>
      </pre>
    </div>
  );
}

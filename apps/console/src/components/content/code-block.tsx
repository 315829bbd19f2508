import { Fragment, type ReactNode } from "react";
import { CopyButton } from "../buttons/copy-button.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./code-block.module.css";

interface CodeBlockProps {
  code: string;
  shown?: string;
  label?: string;
}

/** Names of so many characters fit into a line on every screen. */
const SHORT_NAME = 28;

/** More text than this, in characters, is no code that people read line by line. */
const MOST_READ = 4_000;

/** Offers line breaks after blanks and the signs between names, so that no name is torn. A copy has none of it. */
function withBreaks(text: string): ReactNode {
  if (text.length > MOST_READ) return text;
  return text.split(/(?<=[/=,:])|(?<=\s)(?=\S)|(?<=\S)(?=\s)/).map((piece, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other key
    <Fragment key={index}>
      {/^\S*\w-\S*$/.test(piece) && piece.length <= SHORT_NAME ? <span className={classes.name}>{piece}</span> : piece}
      <wbr />
    </Fragment>
  ));
}

export function CodeBlock({ code, shown = code, label }: CodeBlockProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.block}>
      <pre className={classes.code} role="group" aria-label={t("code")} tabIndex={0}>
        <code>{withBreaks(shown)}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} {...(label === undefined ? {} : { label })} />
      </div>
    </div>
  );
}

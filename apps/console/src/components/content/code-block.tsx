import { CopyButton } from "../copy-button.tsx";
import classes from "./code-block.module.css";

/** Code to copy. */
export function CodeBlock({ code, label }: { code: string; label?: string }) {
  return (
    <div className={classes.block}>
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} {...(label === undefined ? {} : { label })} />
      </div>
    </div>
  );
}

import { IconArrowNarrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./change-list.module.css";

export function ChangeList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollBox label={label} className={classes.box}>
      <ul className={classes.list}>{children}</ul>
    </ScrollBox>
  );
}

interface ChangeLineProps {
  name: ReactNode;
  before: ReactNode;
  after: ReactNode;
  /** Default: changed. The value that is none of one's own is dimmed. */
  kind?: "added" | "changed" | "removed";
  children?: ReactNode;
}

export function ChangeLine({ name, before, after, kind = "changed", children }: ChangeLineProps) {
  const { t } = useTranslation("settings");
  return (
    <li className={classes.change} data-kind={kind}>
      <span className={classes.name}>{name}</span>
      <span className={`numbers ${classes.values ?? ""}`}>
        {before}
        <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
        <strong>{after}</strong>
        {children}
      </span>
    </li>
  );
}

import { CloseButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./side-panel.module.css";
import type { SheetPanelProps } from "./sheet-panel.tsx";

/** A sheet beside its list, which stays in use. Escape closes it. */
export default function SidePanel({ opened, onClose, title, actions, foot, children, onFocusLeft }: SheetPanelProps) {
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    if (panel.current?.contains(document.activeElement) === true) onFocusLeft();
    onClose();
  };
  useHotkeys([["Escape", () => opened && close()]]);
  if (!opened) return null;
  return (
    <section ref={panel} className={classes.panel} role="dialog" aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {actions}
        <CloseButton aria-label={t("close")} onClick={close} />
      </header>
      <div className={classes.body}>{children}</div>
      {foot !== undefined && (
        <footer className={classes.foot} data-over-toasts>
          {foot}
        </footer>
      )}
    </section>
  );
}

import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { modifierKey } from "../../../lib/browser/modifier-key.ts";
import classes from "./palette-button.module.css";

const Palette = lazyPart(() => import("./palette.tsx"), ["palette", "channels", "tokens", "users", "redemptions"]);

const shortcut = modifierKey === "⌘" ? "⌘K" : "Ctrl K";

/** Opens the palette; Cmd/Ctrl+K does too. */
export function PaletteButton({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation("shell");
  // Undefined until it was opened once.
  const [opened, setOpened] = useState<boolean>();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpened((before) => before !== true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={classes.button}
        data-collapsed={collapsed}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        {...(collapsed ? { "aria-label": t("palette.open") } : {})}
        title={t("palette.open")}
        onClick={() => setOpened(true)}
      >
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        {!collapsed && (
          <>
            <span className={classes.label}>{t("palette.open")}</span>
            <kbd className={classes.keys} aria-hidden="true">
              {shortcut}
            </kbd>
          </>
        )}
      </button>
      {opened !== undefined && <Palette opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}

import { Drawer } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { AccountButtons } from "./account-buttons.tsx";
import { Balance } from "./balance.tsx";
import { Menu } from "./menu.tsx";
import classes from "./menu-drawer.module.css";

interface MenuDrawerProps {
  opened: boolean;
  onClose(): void;
  /** The menu is gone from the screen, and had the focus until then. */
  onFocusLeft(): void;
}

export default function MenuDrawer({ opened, onClose, onFocusLeft }: MenuDrawerProps) {
  const { t } = useTranslation("shell", "common");
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", onClose), [router, onClose]);
  const leave = () => {
    const focused = document.activeElement;
    // An entry that was chosen leads the focus to its page.
    if (focused === null || focused === document.body || focused.closest('[role="dialog"]') !== null) onFocusLeft();
  };
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={288}
      returnFocus={false}
      onExitTransitionEnd={leave}
      title={t("shell:mainMenu")}
      closeButtonProps={{ "aria-label": t("shell:closeMenu") }}
    >
      <nav aria-label={t("shell:mainMenu")}>
        <Menu />
      </nav>
      <div className={classes.foot}>
        <Balance collapsed={false} />
        <AccountButtons collapsed={false} />
      </div>
    </Drawer>
  );
}

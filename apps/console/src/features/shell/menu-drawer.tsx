import { Drawer } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { AccountButtons } from "./account-buttons.tsx";
import { Balance } from "./balance.tsx";
import { Menu } from "./menu.tsx";
import classes from "./menu-drawer.module.css";

/** The menu of narrow screens. */
export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation("shell", "common");
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", onClose), [router, onClose]);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={288}
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

import { ActionIcon } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { createExternalStore } from "../../lib/state/external-store.ts";
import { readStored, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { AccountButtons } from "./account-buttons.tsx";
import { AppearanceButtons } from "./appearance-buttons.tsx";
import { Balance } from "./balance.tsx";
import { Brand } from "./brand.tsx";
import { Menu } from "./menu.tsx";
import { PaletteButton } from "./palette/palette-button.tsx";
import classes from "./sidebar.module.css";

const store = createExternalStore(readStored(STORAGE_KEY.menuCollapsed) === "true");

/** Whether the menu shows icons alone, remembered in this browser, and what changes it. */
function useMenuCollapsed() {
  const collapsed = store.use();
  const toggle = () => {
    writeStored(STORAGE_KEY.menuCollapsed, collapsed ? undefined : "true");
    store.set(!collapsed);
  };
  return [collapsed, toggle] as const;
}

export function Sidebar() {
  const { t } = useTranslation("shell");
  const [collapsed, toggle] = useMenuCollapsed();
  const name = t(collapsed ? "expandMenu" : "collapseMenu");
  const CollapseIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <header className={classes.sidebar} data-menu={collapsed ? "collapsed" : "open"}>
      <div className={classes.head}>
        <Brand />
        <ActionIcon size={32} aria-label={name} title={name} aria-expanded={!collapsed} onClick={toggle}>
          <CollapseIcon size={18} stroke={1.6} />
        </ActionIcon>
      </div>
      <PaletteButton collapsed={collapsed} />
      <nav className={classes.menu} aria-label={t("mainMenu")}>
        <Menu />
      </nav>
      <div className={classes.foot}>
        <div className={classes.icons}>
          <AppearanceButtons />
        </div>
        <Balance collapsed={collapsed} />
        <AccountButtons collapsed={collapsed} />
      </div>
    </header>
  );
}

import { ActionIcon } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppearanceButtons } from "./appearance-buttons.tsx";
import { Brand } from "./brand.tsx";
import classes from "./mobile-bar.module.css";

const MenuDrawer = lazy(() => import("./menu-drawer.tsx"));

/** The bar on top of narrow screens, with the menu behind a button. */
export function MobileBar() {
  const { t } = useTranslation("shell");
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setOpened(true);
  };
  return (
    <header className={classes.bar}>
      <ActionIcon size={44} aria-label={t("openMenu")} aria-haspopup="dialog" aria-expanded={opened} onClick={open}>
        <IconMenu2 size={20} />
      </ActionIcon>
      <Brand />
      <span className={classes.icons}>
        <AppearanceButtons />
      </span>
      <Suspense fallback={null}>
        {wasOpened && <MenuDrawer opened={opened} onClose={() => setOpened(false)} />}
      </Suspense>
    </header>
  );
}

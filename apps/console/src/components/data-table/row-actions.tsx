import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActionMenuItems } from "./action-menu-items.tsx";
import { InlineAction } from "./inline-action.tsx";
import classes from "./row-actions.module.css";
import type { RowAction } from "./row-action.ts";

/** The actions of a row on wide screens. */
export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  const { t } = useTranslation();
  const behindDots = actions.filter((action) => action.placement === "menu");
  return (
    <div className={classes.actions}>
      {actions
        .filter((action) => action.placement !== "menu")
        .map((action) => (
          <InlineAction key={action.id} action={action} />
        ))}
      {behindDots.length > 0 && (
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={t("moreActions")} title={t("moreActions")}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <ActionMenuItems actions={behindDots} />
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

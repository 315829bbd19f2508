import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActionMenuItems } from "./action-menu-items.tsx";
import classes from "./row-actions.module.css";
import type { RowAction } from "./row-action.ts";
import { useRunAction } from "./use-run-action.ts";

function ActionButton({ action, onClick }: { action: RowAction; onClick?: () => void }) {
  return (
    <Tooltip label={action.label}>
      <ActionIcon
        aria-label={action.label}
        disabled={action.disabled === true}
        loading={action.busy === true}
        {...(action.tone === "danger" ? { className: classes.danger } : {})}
        {...(onClick === undefined ? {} : { onClick })}
      >
        {action.icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** An action in the row: a button, a menu, or a button with a menu beside it. */
export function InlineAction({ action }: { action: RowAction }) {
  const { t } = useTranslation();
  const run = useRunAction();
  if (action.items === undefined) return <ActionButton action={action} onClick={() => run(action)} />;
  const isSplit = action.onSelect !== undefined;
  const moreLabel = t("moreChoices", { label: action.label });
  return (
    <span className={classes.split}>
      {isSplit && <ActionButton action={action} onClick={() => run(action)} />}
      <Menu>
        <Menu.Target>
          <ActionIcon
            aria-label={isSplit ? moreLabel : action.label}
            title={isSplit ? moreLabel : action.label}
            disabled={action.disabled === true}
            loading={!isSplit && action.busy === true}
            {...(isSplit ? { className: classes.chevron } : {})}
          >
            {isSplit ? <IconChevronDown size={14} /> : action.icon}
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItems actions={action.items} />
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

import { ActionIcon, Drawer } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./action-sheet.module.css";
import type { RowAction } from "./row-action.ts";
import { useRunAction } from "./row-action.ts";

function SheetItems({ actions, onChosen }: { actions: readonly RowAction[]; onChosen(): void }) {
  const run = useRunAction();
  return actions.map((action) => (
    <div key={action.id} className={classes.entry}>
      {(action.items === undefined || action.onSelect !== undefined) && (
        <button
          type="button"
          className={classes.item}
          data-tone={action.tone}
          disabled={action.disabled === true || action.busy === true}
          onClick={() => {
            onChosen();
            run(action);
          }}
        >
          {action.icon}
          {action.label}
        </button>
      )}
      {action.items !== undefined && (
        <div className={classes.group} role="group" aria-label={action.label}>
          {action.onSelect === undefined && <div className={classes.label}>{action.label}</div>}
          <SheetItems actions={action.items} onChosen={onChosen} />
        </div>
      )}
    </div>
  ));
}

/** The actions of a row on narrow screens: one button that opens them all in a sheet from below. */
export function ActionSheet({ actions, title }: { actions: readonly RowAction[]; title: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ActionIcon
        size={44}
        aria-label={t("actionsOf", { name: title })}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconDots size={20} />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="auto"
        title={title}
        classNames={{ content: classes.sheet ?? "" }}
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <SheetItems actions={actions} onChosen={() => setOpened(false)} />
      </Drawer>
    </>
  );
}

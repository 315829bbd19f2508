import { Menu } from "@mantine/core";
import { Fragment } from "react";
import type { RowAction } from "./row-action.ts";
import { useRunAction } from "./use-run-action.ts";

/** The entries of a menu of actions; choices behind an action stand under its name. */
export function ActionMenuItems({ actions }: { actions: readonly RowAction[] }) {
  const run = useRunAction();
  return actions.map((action) => (
    <Fragment key={action.id}>
      {(action.items === undefined || action.onSelect !== undefined) && (
        <Menu.Item
          leftSection={action.icon}
          disabled={action.disabled === true || action.busy === true}
          {...(action.tone === "danger" ? { color: "red" } : {})}
          onClick={() => run(action)}
        >
          {action.label}
        </Menu.Item>
      )}
      {action.items !== undefined && (
        <>
          <Menu.Label>{action.label}</Menu.Label>
          <ActionMenuItems actions={action.items} />
        </>
      )}
    </Fragment>
  ));
}

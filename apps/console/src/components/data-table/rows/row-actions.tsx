import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconDots } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { IconLink } from "../../buttons/icon-link.tsx";
import { Sheet } from "../../dialogs/sheet.tsx";
import { MenuButton } from "../../floating/menu-button.tsx";
import type { MenuEntry } from "../../floating/menu-entry.ts";
import { type RowAction, useRunAction } from "./row-action.ts";
import classes from "./row-actions.module.css";

/** The entries of a menu of actions; choices behind an action stand under its name. Two actions may have choices of one id. */
function menuEntries(actions: readonly RowAction[], run: (action: RowAction) => void, group = ""): MenuEntry[] {
  return actions.flatMap((action) => {
    const { label, icon, tone, items = [] } = action;
    const id = `${group}${action.id}`;
    const isDisabled = action.disabled === true || action.busy === true;
    const entry = { id, label, icon, tone, isDisabled, onSelect: () => run(action) };
    const isEntry = action.items === undefined || action.onSelect !== undefined;
    const name = action.items === undefined ? [] : [{ id: `${id}-name`, label }];
    return [...(isEntry ? [entry] : []), ...name, ...menuEntries(items, run, `${id}-`)];
  });
}

interface InlineActionProps {
  action: RowAction;
  /** Undefined on a page about one object. */
  rowName: string | undefined;
}

/** Returns the label of a row's button for screen readers, with the name of the row. */
function useButtonName(rowName: string | undefined): (label: string) => string {
  const { t } = useTranslation();
  return (label) => (rowName === undefined ? label : t("actionOn", { label, name: rowName }));
}

function ActionButton({ action, rowName, onClick }: InlineActionProps & { onClick?: () => void }) {
  const nameOf = useButtonName(rowName);
  const name = { "aria-label": nameOf(action.label), "data-tip": action.label };
  if (action.isLink === true && action.path !== undefined) {
    return (
      <IconLink to={action.path} {...name}>
        {action.icon}
      </IconLink>
    );
  }
  return (
    <ActionIcon
      {...name}
      disabled={action.disabled === true}
      loading={action.busy === true}
      {...(action.tone === "danger" ? { className: classes.danger } : {})}
      {...(onClick === undefined ? {} : { onClick })}
    >
      {action.icon}
    </ActionIcon>
  );
}

function InlineAction({ action, rowName }: InlineActionProps) {
  const { t } = useTranslation();
  const run = useRunAction();
  const nameOf = useButtonName(rowName);
  const button = <ActionButton action={action} rowName={rowName} onClick={() => run(action)} />;
  if (action.items === undefined) return button;
  const isSplit = action.onSelect !== undefined;
  const label = isSplit ? t("moreChoices", { label: action.label }) : action.label;
  return (
    <span className={classes.split}>
      {isSplit && button}
      <MenuButton
        entries={menuEntries(action.items, run)}
        renderButton={(props) => (
          <ActionIcon
            aria-label={nameOf(label)}
            data-tip={label}
            disabled={action.disabled === true}
            loading={!isSplit && action.busy === true}
            {...(isSplit ? { className: classes.chevron } : {})}
            {...props}
          >
            {isSplit ? <IconChevronDown size={14} /> : action.icon}
          </ActionIcon>
        )}
      />
    </span>
  );
}

/** Most actions that stand in a row; the rest is behind the three dots. */
const INLINE_ACTIONS = 2;

/** Actions of a row on wide screens: two as buttons, all others in a menu. */
export function RowActions({ actions, name }: { actions: readonly RowAction[]; name?: string }) {
  const { t } = useTranslation();
  const run = useRunAction();
  const inRow = actions.filter((action) => action.placement !== "menu").slice(0, INLINE_ACTIONS);
  const inMenu = actions.filter((action) => !inRow.includes(action));
  return (
    <div className={classes.actions}>
      {inRow.map((action) => (
        <InlineAction key={action.id} action={action} rowName={name} />
      ))}
      {inMenu.length > 0 && (
        <MenuButton
          entries={menuEntries(inMenu, run)}
          renderButton={(props) => (
            <ActionIcon
              aria-label={name === undefined ? t("moreActions") : t("moreActionsOf", { name })}
              data-tip={t("moreActions")}
              {...props}
            >
              <IconDots size={16} />
            </ActionIcon>
          )}
        />
      )}
    </div>
  );
}

function SheetItems({ actions, onChosen }: { actions: readonly RowAction[]; onChosen(): void }) {
  const run = useRunAction();
  return actions.map((action) => (
    <div key={action.id}>
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

/** Actions of a row on narrow screens: one button opens all of them in a sheet. */
export function ActionSheet({ actions, title }: { actions: readonly RowAction[]; title: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const dots = useRef<HTMLButtonElement>(null);
  const choose = () => {
    setOpened(false);
    // A confirmation returns the focus to an element that exists then.
    dots.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <ActionIcon
        ref={dots}
        size={44}
        className={classes.opener ?? ""}
        aria-label={t("actionsOf", { name: title })}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconDots size={20} />
      </ActionIcon>
      <Sheet opened={opened} onClose={() => setOpened(false)} title={title} isShort>
        <SheetItems actions={actions} onChosen={choose} />
      </Sheet>
    </>
  );
}

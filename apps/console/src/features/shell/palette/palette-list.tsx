import { IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { PaletteCommand } from "./palette-commands.tsx";
import classes from "./palette.module.css";

export interface ShownGroup {
  readonly title: string;
  readonly commands: readonly PaletteCommand[];
  /** Its commands open pages. */
  readonly isOfPlaces: boolean;
}

interface PaletteListProps {
  id: string;
  groups: readonly ShownGroup[];
  current: PaletteCommand | undefined;
  isSearching: boolean;
  onRun(command: PaletteCommand): void;
  onOpenActions(command: PaletteCommand): void;
}

export function PaletteList({ id, groups, current, isSearching, onRun, onOpenActions }: PaletteListProps) {
  const { t } = useTranslation("palette", "shell");
  return (
    <div id={id} role="listbox" aria-label={t("shell:palette.open")} aria-busy={isSearching} className={classes.list}>
      {groups.map(({ title, commands: members }) => (
        <div key={title} role="group" aria-label={title}>
          <div className={classes.group} aria-hidden="true">
            {title}
          </div>
          {members.map((command) => (
            <div key={command.id} role="presentation" className={classes.line}>
              <button
                id={`${id}-${command.id}`}
                ref={(element) => {
                  if (command === current) element?.scrollIntoView({ block: "nearest" });
                }}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={command === current}
                className={classes.command}
                onClick={() => onRun(command)}
              >
                <span className={classes.icon} aria-hidden="true">
                  {command.icon}
                </span>
                <span className={classes.name}>{command.label}</span>
                {command.hint !== undefined && <span className={classes.hint}>{command.hint}</span>}
              </button>
              {command.actionsOf !== undefined && (
                // For the pointer: the keyboard has the right arrow.
                <button
                  type="button"
                  tabIndex={-1}
                  aria-hidden="true"
                  title={t("actionsOn", { name: command.label })}
                  className={classes.more}
                  onClick={() => onOpenActions(command)}
                >
                  <IconChevronRight size={16} />
                </button>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

export function KeyHints({ current, isInActions }: { current: PaletteCommand | undefined; isInActions: boolean }) {
  const { t } = useTranslation("palette");
  const canOpen = current?.actionsOf !== undefined;
  return (
    <p className={classes.keys}>
      <kbd>↑</kbd>
      <kbd>↓</kbd> {t("keys.move")}
      <kbd>Enter</kbd> {t("keys.open")}
      {canOpen && (
        <>
          <kbd>→</kbd> {t("keys.actions")}
        </>
      )}
      {isInActions && (
        <>
          <kbd>←</kbd> {t("keys.back")}
        </>
      )}
    </p>
  );
}

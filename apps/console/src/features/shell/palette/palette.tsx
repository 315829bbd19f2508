import { Modal, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useState } from "react";
import { useFocusReturn } from "../../../components/dialogs/focus-return.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type PaletteCommand, type PaletteGroup, useOwnGroups } from "./palette-commands.ts";
import { useFoundGroups } from "./palette-search.ts";
import { useSettingsGroup } from "./palette-settings.ts";
import classes from "./palette.module.css";

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  current: PaletteCommand | undefined;
  isSearching: boolean;
  onRun(command: PaletteCommand): void;
}

/** Choices by group; the current one stays visible. */
function PaletteList({ id, groups, current, isSearching, onRun }: PaletteListProps) {
  const { t } = useTranslation("palette", "shell");
  return (
    <div id={id} role="listbox" aria-label={t("shell:palette.open")} aria-busy={isSearching} className={classes.list}>
      {groups.map(({ name, commands: members }) => (
        <div key={name} role="group" aria-label={t(name)}>
          <div className={classes.group} aria-hidden="true">
            {t(name)}
          </div>
          {members.map((command) => (
            <button
              key={command.id}
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
              <command.icon size={16} stroke={1.6} aria-hidden="true" />
              <span className={classes.name}>{command.label}</span>
              {command.hint !== undefined && <span className={classes.hint}>{command.hint}</span>}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The marked one of the commands, and the keys that move the mark and choose. */
function useMarked(commands: readonly PaletteCommand[], onRun: (command: PaletteCommand) => void) {
  const [marked, setMarked] = useState(0);
  const last = commands.length - 1;
  const current = commands[Math.min(marked, last)];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // The Enter that ends the writing of a Chinese word chooses nothing.
    const isChoice = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (step !== 0 || isChoice) event.preventDefault();
    if (isChoice && current !== undefined) onRun(current);
    if (step !== 0 && last >= 0)
      setMarked((before) => (Math.min(before, last) + step + commands.length) % commands.length);
  };
  return { current, onKeyDown, markFirst: () => setMarked(0) };
}

/** A list of everything the console can open or do, narrowed down by typing; the server finds rows by their name. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("palette", "shell");
  useFocusReturn();
  const listId = useId();
  const [text, setText] = useState("");
  const wanted = text.trim();
  const own = useOwnGroups(wanted);
  const settings = useSettingsGroup(wanted);
  const { groups: found, isSearching } = useFoundGroups(wanted);
  const groups = [...own, settings, ...found].filter(({ commands }) => commands.length > 0);
  const run = (command: PaletteCommand) => {
    onClose();
    command.run();
  };
  const commands = groups.flatMap((group) => group.commands);
  const { current, onKeyDown, markFirst } = useMarked(commands, run);
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label={t("shell:palette.open")}>
        <Modal.Body p="xs">
          <TextInput
            variant="unstyled"
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={current && `${listId}-${current.id}`}
            aria-label={t("placeholder")}
            placeholder={t("placeholder")}
            px="xs"
            value={text}
            data-autofocus
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setText(event.currentTarget.value);
              markFirst();
            }}
          />
          <PaletteList id={listId} groups={groups} current={current} isSearching={isSearching} onRun={run} />
          {commands.length === 0 && (
            <p className={classes.empty} role="status">
              {t(isSearching ? "searching" : "empty")}
            </p>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

import { Modal, TextInput } from "@mantine/core";
import { useId, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import classes from "./palette.module.css";
import { usePaletteCommands } from "./use-palette-commands.ts";

/** A list of everything the console can open or do, narrowed down by typing. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("shell");
  const listId = useId();
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const wanted = text.trim().toLowerCase();
  const commands = usePaletteCommands().filter((command) => command.label.toLowerCase().includes(wanted));
  const current = commands[Math.min(marked, commands.length - 1)];
  const run = (command: (typeof commands)[number] | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && commands.length > 0) {
      event.preventDefault();
      setMarked((before) => (Math.min(before, commands.length - 1) + step + commands.length) % commands.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      run(current);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      padding={8}
      aria-label={t("palette.open")}
    >
      <TextInput
        variant="unstyled"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current && `${listId}-${current.id}`}
        aria-label={t("palette.placeholder")}
        placeholder={t("palette.placeholder")}
        px="xs"
        value={text}
        data-autofocus
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMarked(0);
        }}
      />
      <div id={listId} role="listbox" aria-label={t("palette.open")} className={classes.list}>
        {commands.map((command) => (
          <button
            key={command.id}
            id={`${listId}-${command.id}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            className={classes.command}
            onClick={() => run(command)}
          >
            <command.icon size={16} stroke={1.6} aria-hidden="true" />
            {command.label}
          </button>
        ))}
      </div>
      {commands.length === 0 && <p className={classes.empty}>{t("palette.empty")}</p>}
    </Modal>
  );
}

import { Modal, TextInput } from "@mantine/core";
import {
  type Icon,
  IconKey,
  IconLanguage,
  IconLogout,
  IconPlugConnected,
  IconSunMoon,
  IconUserEdit,
} from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage } from "../../lib/i18n.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/session.ts";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { useLogOut } from "../login/session-mutations.ts";
import { menuEntries } from "./menu-entries.ts";
import classes from "./palette.module.css";
import { useCycleColorScheme } from "./appearance-buttons.tsx";

interface PaletteCommand {
  id: string;
  label: string;
  icon: Icon;
  run(): void;
}

/** What the palette offers to the current user. */
function usePaletteCommands(): PaletteCommand[] {
  const { t } = useTranslation("shell");
  const router = useRouter();
  const isAdmin = useIsAdmin();
  const user = useCurrentUser();
  const hasChat = useStoredStatus().chat_link !== "";
  const logOut = useLogOut();
  const { cycle } = useCycleColorScheme();
  const open = (path: string) => () => router.history.push(path);
  const pages = menuEntries({ isAdmin, hasChat }).flatMap(({ name, path, icon }) =>
    path === undefined ? [] : [{ id: name, label: t(`menu.${name}`), icon, run: open(path) }],
  );
  const language = currentLanguage() === "en" ? "zh-CN" : "en";
  const appearance: PaletteCommand[] = [
    { id: "scheme", label: t("palette.colorScheme"), icon: IconSunMoon, run: cycle },
    { id: "language", label: t("palette.language"), icon: IconLanguage, run: () => void chooseLanguage(language) },
  ];
  if (user === undefined) return [...pages, ...appearance];
  return [
    ...pages,
    { id: "add-token", label: t("palette.addToken"), icon: IconKey, run: open("/token/add") },
    ...(isAdmin
      ? [{ id: "add-channel", label: t("palette.addChannel"), icon: IconPlugConnected, run: open("/channel/add") }]
      : []),
    { id: "profile", label: t("editProfile"), icon: IconUserEdit, run: open("/user/edit") },
    ...appearance,
    { id: "logout", label: t("logout"), icon: IconLogout, run: () => logOut.mutate() },
  ];
}

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

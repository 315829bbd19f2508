import { Modal, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { searchChannels } from "@one-api/contract/channel";
import { searchTokens } from "@one-api/contract/token";
import {
  type Icon,
  IconKey,
  IconLanguage,
  IconLogout,
  IconPlugConnected,
  IconSunMoon,
  IconUserEdit,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { chooseLanguage, currentLanguage } from "../../../lib/i18n/i18n.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { useLogOut } from "../../login/session-mutations.ts";
import { useCycleColorScheme } from "../appearance-buttons.tsx";
import { useMenuEntries } from "../menu-entries.ts";
import classes from "./palette.module.css";

const SEARCH_PAUSE_MS = 200;
const MAX_FOUND = 6;

interface PaletteCommand {
  id: string;
  label: string;
  /** Beside the label, dimmed. */
  hint?: string;
  icon: Icon;
  run(): void;
}

interface PaletteGroup {
  name: "pages" | "actions" | "channels" | "tokens";
  commands: readonly PaletteCommand[];
}

/** What the current user can do from everywhere. */
function useActions(open: (path: string) => () => void): PaletteCommand[] {
  const { t } = useTranslation("shell");
  const isAdmin = useIsAdmin();
  const user = useCurrentUser();
  const logOut = useLogOut();
  const { cycle } = useCycleColorScheme();
  const language = currentLanguage() === "en" ? "zh-CN" : "en";
  const forUsers: PaletteCommand[] = [
    { id: "add-token", label: t("palette.addToken"), icon: IconKey, run: open("/token/add") },
    { id: "profile", label: t("editProfile"), icon: IconUserEdit, run: open("/user/edit") },
    { id: "logout", label: t("logout"), icon: IconLogout, run: () => logOut.mutate() },
  ];
  return [
    ...(isAdmin
      ? [{ id: "add-channel", label: t("palette.addChannel"), icon: IconPlugConnected, run: open("/channel/add") }]
      : []),
    ...(user === undefined ? [] : forUsers),
    { id: "scheme", label: t("palette.colorScheme"), icon: IconSunMoon, run: cycle },
    { id: "language", label: t("palette.language"), icon: IconLanguage, run: () => void chooseLanguage(language) },
  ];
}

/** Pages and actions of the current user whose name contains the text. */
function useOwnGroups(text: string): PaletteGroup[] {
  const { t } = useTranslation("shell");
  const router = useRouter();
  const open = (path: string) => () => router.history.push(path);
  const actions = useActions(open);
  const pages = useMenuEntries().flatMap(({ name, path, icon }) =>
    path === undefined ? [] : [{ id: name, label: t(`menu.${name}`), icon, run: open(path) }],
  );
  const fits = ({ label }: PaletteCommand) => label.toLowerCase().includes(text.toLowerCase());
  return [
    { name: "pages", commands: pages.filter(fits) },
    { name: "actions", commands: actions.filter(fits) },
  ];
}

/** Channels and tokens that the server finds by the text; none while nothing is typed. */
function useFoundGroups(text: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const router = useRouter();
  const isAdmin = useIsAdmin();
  const isUser = useCurrentUser() !== undefined;
  const [keyword] = useDebouncedValue(text, SEARCH_PAUSE_MS);
  const shared = { placeholderData: keepPreviousData, meta: { quiet: true } } as const;
  const channels = useQuery({
    queryKey: ["channels", "palette", keyword],
    queryFn: ({ signal }) => callApi(searchChannels, { query: { keyword }, signal }),
    enabled: isAdmin && keyword !== "",
    ...shared,
  });
  const tokens = useQuery({
    queryKey: ["tokens", "palette", keyword],
    queryFn: ({ signal }) => callApi(searchTokens, { query: { keyword }, signal }),
    enabled: isUser && keyword !== "",
    ...shared,
  });
  if (text === "") return { groups: [], isSearching: false };
  const commandsOf = (rows: readonly { id: number; name: string }[], noun: "channel" | "token", icon: Icon) =>
    rows.slice(0, MAX_FOUND).map(({ id, name }) => ({
      id: `${noun}-${id}`,
      label: name,
      hint: `#${id}`,
      icon,
      run: () => router.history.push(`/${noun}/edit/${id}`),
    }));
  return {
    groups: [
      { name: "channels", commands: commandsOf(channels.data ?? [], "channel", IconPlugConnected) },
      { name: "tokens", commands: commandsOf(tokens.data ?? [], "token", IconKey) },
    ],
    isSearching: text !== keyword || channels.isFetching || tokens.isFetching,
  };
}

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  current: PaletteCommand | undefined;
  isSearching: boolean;
  onRun(command: PaletteCommand): void;
}

/** What can be chosen, by group; the current one stays in sight. */
function PaletteList({ id, groups, current, isSearching, onRun }: PaletteListProps) {
  const { t } = useTranslation("shell");
  return (
    <div id={id} role="listbox" aria-label={t("palette.open")} aria-busy={isSearching} className={classes.list}>
      {groups.map(({ name, commands: members }) => (
        <div key={name} role="group" aria-label={t(`palette.${name}`)}>
          <div className={classes.group} aria-hidden="true">
            {t(`palette.${name}`)}
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

/** A list of everything the console can open or do, narrowed down by typing; the server finds channels and tokens. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("shell");
  const listId = useId();
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const wanted = text.trim();
  const own = useOwnGroups(wanted);
  const { groups: found, isSearching } = useFoundGroups(wanted);
  const groups = [...own, ...found].filter(({ commands }) => commands.length > 0);
  const commands = groups.flatMap((group) => group.commands);
  const current = commands[Math.min(marked, commands.length - 1)];
  const run = (command: PaletteCommand | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // The Enter that ends the writing of a Chinese word chooses nothing.
    const isChoice = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (step !== 0 || isChoice) event.preventDefault();
    if (isChoice) run(current);
    if (step !== 0 && commands.length > 0)
      setMarked((before) => (Math.min(before, commands.length - 1) + step + commands.length) % commands.length);
  };
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label={t("palette.open")}>
        <Modal.Body p="xs">
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
          <PaletteList id={listId} groups={groups} current={current} isSearching={isSearching} onRun={run} />
          {commands.length === 0 && (
            <p className={classes.empty} role="status">
              {t(isSearching ? "palette.searching" : "palette.empty")}
            </p>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

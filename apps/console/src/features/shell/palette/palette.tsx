import { Modal, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { useFocusReturn } from "../../../components/dialogs/focus-return.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { veil } from "../../../theme-components.ts";
import { hasWords } from "../../../lib/values/has-words.ts";
import { type ActionsOf, useFoundActions } from "./found-row.tsx";
import { type PaletteCommand, type PaletteGroup, useOwnGroups } from "./palette-commands.tsx";
import { KeyHints, PaletteList, type ShownGroup } from "./palette-list.tsx";
import { useRecentPlaces, useRememberPlace } from "./palette-recent.ts";
import { useFoundGroups } from "./palette-search.ts";
import { useSettingsGroup } from "./palette-settings.ts";
import { usePaletteKeys, usePaletteState } from "./palette-state.ts";
import classes from "./palette.module.css";

interface Wanted {
  readonly text: string;
  /** Of which the actions are shown. */
  readonly opened: PaletteCommand | undefined;
  readonly actionsOf: ActionsOf;
}

/** Everything that the text finds, or the actions on one of these that it names. */
function useGroups({ text, opened, actionsOf }: Wanted): { groups: ShownGroup[]; isSearching: boolean } {
  const { t } = useTranslation("palette");
  const recent = useRecentPlaces();
  const wanted = text.trim();
  // Results stay loaded while the actions of one are shown.
  const [searched, setSearched] = useState(wanted);
  if (opened === undefined && searched !== wanted) setSearched(wanted);
  const own = useOwnGroups(searched);
  const settings = useSettingsGroup(searched);
  const { groups: found, isSearching } = useFoundGroups(searched, actionsOf);
  if (opened !== undefined) {
    const commands = (opened.actionsOf?.() ?? []).filter(({ label }) => hasWords(wanted, label));
    return {
      groups: [{ title: t("actionsOn", { name: opened.label }), commands, isOfPlaces: false }],
      isSearching: false,
    };
  }
  const titled = ({ name, commands }: PaletteGroup) => ({ title: t(name), commands, isOfPlaces: name !== "actions" });
  const visited: PaletteGroup = { name: "recent", commands: wanted === "" ? recent : [] };
  return {
    groups: [visited, ...own, settings, ...found].filter(({ commands }) => commands.length > 0).map(titled),
    isSearching,
  };
}

/** Names what the palette finds for its viewer. */
function useFoundText(): string {
  const { t } = useTranslation("palette");
  const isUser = useCurrentUser() !== undefined;
  return t(useIsAdmin() ? "placeholder" : isUser ? "ownPlaceholder" : "visitorPlaceholder");
}

/** A list of everything the console can open or do, narrowed down by typing; the server finds rows by their name. */
function PaletteDialog({ actionsOf, onClose }: { actionsOf: ActionsOf; onClose(): void }) {
  const { t } = useTranslation("palette", "shell");
  useFocusReturn();
  const listId = useId();
  const state = usePaletteState();
  const { text, opened } = state;
  const { groups, isSearching } = useGroups({ text, opened, actionsOf });
  const remember = useRememberPlace();
  const run = (command: PaletteCommand) => {
    onClose();
    if (groups.some(({ isOfPlaces, commands: members }) => isOfPlaces && members.includes(command))) remember(command);
    command.run();
  };
  const actions = { onRun: run, onOpenActions: state.openActions };
  const commands = groups.flatMap((group) => group.commands);
  const { current, onKeyDown } = usePaletteKeys(state, commands, run);
  const found = useFoundText();
  const placeholder = opened === undefined ? found : t("actionsOn", { name: opened.label });
  return (
    <Modal.Root size={560} opened onClose={onClose} yOffset="12vh" closeOnEscape={opened === undefined}>
      <Modal.Overlay {...veil} />
      <Modal.Content aria-label={t("shell:palette.open")}>
        <Modal.Body p="xs">
          <TextInput
            variant="unstyled"
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={current && `${listId}-${current.id}`}
            aria-label={placeholder}
            placeholder={placeholder}
            px="xs"
            value={text}
            data-autofocus
            onKeyDown={onKeyDown}
            onChange={(event) => state.type(event.currentTarget.value)}
          />
          <PaletteList id={listId} groups={groups} current={current} isSearching={isSearching} {...actions} />
          {commands.length === 0 && (
            <p className={classes.empty} role="status">
              {t(isSearching ? "searching" : "empty")}
            </p>
          )}
          <KeyHints current={current} isInActions={opened !== undefined} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Stays when it is closed: an action on a row may still ask, open a dialog, and say how it ended. */
export default function Palette({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { actionsOf, dialogs } = useFoundActions();
  return (
    <>
      {opened && <PaletteDialog actionsOf={actionsOf} onClose={onClose} />}
      {dialogs}
    </>
  );
}

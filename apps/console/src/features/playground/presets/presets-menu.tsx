import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { MenuEntry } from "../../../components/floating/menu-entry.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { Bookmark, BookmarksMenu } from "../../views/bookmarks-menu.tsx";
import { addressOf, type NamedView, useDeleteView, useSaveView, useViews } from "../../views/view-queries.ts";
import { beginSecondPane, keepIfWanted, setupStore } from "../chat/playground-store.ts";
import { type Asking, usePlaygroundSearch } from "../use-playground.ts";
import { PresetDialog } from "./preset-dialog.tsx";
import { fieldsOfPreset, readPreset, readPresetFields } from "./preset-fields.ts";

/** The state of the page as a preset, and its replacement by another one. */
function useCurrentPreset({ asked }: Asking) {
  const { search, change } = usePlaygroundSearch();
  const { system, tools } = setupStore.use();
  const fields = fieldsOfPreset({ search: { ...search, model: asked[0]?.name }, system, tools });
  const choose = (preset: NamedView) => {
    const { search: wanted, ...setup } = readPreset(addressOf(preset.fields));
    setupStore.set(setup);
    if (wanted.versus !== undefined && search.versus === undefined) beginSecondPane();
    keepIfWanted();
    change({ ...wanted, token: search.token });
  };
  return { fields, choose };
}

function useDeletePreset(): (preset: NamedView) => void {
  const { t } = useTranslation("playground");
  const remove = useDeleteView("playground");
  const save = useSaveView("playground");
  return (preset) =>
    remove.mutate(preset, {
      onSuccess: () =>
        toastSuccess(t("presets.deleted", { name: preset.name }), {
          label: t("presets.undo"),
          onSelect: () => save.mutate(preset),
        }),
    });
}

const isSame = (left: NamedView["fields"], right: NamedView["fields"]) =>
  JSON.stringify(left) === JSON.stringify(right);

interface PresetsMenuProps {
  asking: Asking;
  /** It was pressed before it was there: it opens at once. */
  isOpened: boolean;
}

/** Opens the dialog that saves the present settings, or renames the chosen preset. */
type OpenDialog = (dialog: "save" | "rename") => void;

function usePresentEntries(shown: NamedView | undefined, own: NamedView | undefined, open: OpenDialog): MenuEntry[] {
  const { t } = useTranslation("playground");
  const remove = useDeletePreset();
  const save: MenuEntry = {
    id: "save",
    label: t("presets.save"),
    icon: <IconPlus size={16} />,
    isDisabled: shown !== undefined,
    onSelect: () => open("save"),
  };
  if (own === undefined) return [save];
  const { name } = own;
  return [
    save,
    {
      id: "rename",
      label: t("presets.rename", { name }),
      icon: <IconPencil size={16} />,
      onSelect: () => open("rename"),
    },
    {
      id: "delete",
      label: t("presets.delete", { name }),
      icon: <IconTrash size={16} />,
      tone: "danger",
      onSelect: () => remove(own),
    },
  ];
}

export default function PresetsMenu({ asking, isOpened }: PresetsMenuProps) {
  const { t } = useTranslation("playground");
  const presets = useViews("playground", readPresetFields) ?? [];
  const { fields, choose } = useCurrentPreset(asking);
  const [chosenId, setChosenId] = useState<number | undefined>();
  const [dialog, setDialog] = useState<"save" | "rename" | undefined>();
  const shown = presets.find((preset) => isSame(preset.fields, fields));
  const chosen = shown ?? presets.find(({ id }) => id === chosenId);
  const own = chosen?.isOwn === true ? chosen : undefined;
  const take = (preset: NamedView) => {
    setChosenId(preset.id);
    choose(preset);
  };
  const entries: MenuEntry[] = [
    ...presets.map((preset) => ({
      id: `${preset.id}`,
      label: preset.name,
      icon: <Bookmark isShown={preset === shown} />,
      onSelect: () => take(preset),
    })),
    { id: "present", label: t("presets.present") },
    ...usePresentEntries(shown, own, setDialog),
  ];
  const renamed = dialog === "rename" ? own : undefined;
  return (
    <>
      <BookmarksMenu label={t("presets.title")} shownName={shown?.name} entries={entries} isOpened={isOpened} />
      {dialog !== undefined && (
        <PresetDialog
          fields={renamed?.fields ?? fields}
          preset={own}
          isRename={renamed !== undefined}
          onClose={() => setDialog(undefined)}
          onSaved={setChosenId}
        />
      )}
    </>
  );
}

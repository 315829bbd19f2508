import { Button, Group } from "@mantine/core";
import { IconBookmark, IconBookmarkFilled, IconPlus, IconStarFilled, IconTrash, IconUsers } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { MenuButton, type MenuEntry } from "../../../components/floating/menu-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/later-part.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { NO_FILTERS, readLogSearch } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import {
  type LogView,
  setFieldsOf,
  useChooseDefaultView,
  useDeleteView,
  useSaveView,
  useShareView,
  useViews,
} from "./view-queries.ts";

const SaveViewDialog = lazyPart(() => import("./save-view-dialog.tsx"));

/** What can be done with the view that is shown. */
function useViewChanges() {
  const { t } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const forget = useForgetView();
  const { mutate: share } = useShareView();
  const { mutate: chooseDefault } = useChooseDefaultView();
  return (view: LogView): MenuEntry[] => {
    const { id, name, isShared, isOwn, isDefault } = view;
    const toggleDefault = () => chooseDefault(isDefault ? 0 : id);
    const toggleShared = () => share({ id, isShared: !isShared });
    return [
      { id: "change", label: t("views.change", { name }) },
      { id: "default", label: t("views.isDefault"), isOn: isDefault, onToggle: toggleDefault },
      ...(isAdmin ? [{ id: "share", label: t("views.isShared"), isOn: isShared, onToggle: toggleShared }] : []),
      ...(isOwn
        ? [
            {
              id: "forget",
              label: t("views.forget", { name }),
              icon: <IconTrash size={16} />,
              tone: "danger" as const,
              onSelect: () => forget(view),
            },
          ]
        : []),
    ];
  };
}

/** Shows the user's default once, where the address of the page asked for nothing. */
function useDefaultView(filter: LogFilterState, views: readonly LogView[] | undefined) {
  const { open } = readLogSearch(useSearch({ strict: false }));
  const isPlain = filter.count === 0;
  const isDue = useRef(isPlain && open === undefined);
  useEffect(() => {
    if (!isDue.current || (views === undefined && isPlain)) return;
    isDue.current = false;
    const chosen = views?.find(({ isDefault }) => isDefault);
    if (isPlain && chosen !== undefined) filter.change({ ...NO_FILTERS, ...chosen.filters });
  }, [isPlain, views, filter]);
}

/** The sets of filters that have a name: shows one, names the present one, and changes what is shown. */
export function ViewsMenu({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const known = useViews(useIsAdmin());
  useDefaultView(filter, known);
  const views = known ?? [];
  const [isNaming, setIsNaming] = useState(false);
  const changesOf = useViewChanges();
  const present = JSON.stringify(setFieldsOf(filter.filters));
  const shown =
    filter.count === 0 ? undefined : views.find(({ filters }) => JSON.stringify(setFieldsOf(filters)) === present);
  const entries: MenuEntry[] = views.map((view) => ({
    id: `${view.id}`,
    label: view.name,
    icon: <Mark isShown={view === shown} />,
    mark: <Marks view={view} />,
    onSelect: () => filter.change({ ...NO_FILTERS, ...view.filters }),
  }));
  const save: MenuEntry = {
    id: "save",
    label: t("views.save"),
    icon: <IconPlus size={16} />,
    isDisabled: filter.count === 0,
    onSelect: () => setIsNaming(true),
  };
  return (
    <>
      <MenuButton
        entries={[...entries, ...(shown === undefined ? [save] : changesOf(shown))]}
        renderButton={(props) => (
          <Button variant="default" leftSection={<Mark isShown={shown !== undefined} />} title={shown?.name} {...props}>
            {t("views.title")}
          </Button>
        )}
      />
      {isNaming && <SaveViewDialog filters={filter.filters} onClose={() => setIsNaming(false)} />}
    </>
  );
}

/** That the log begins with a view, and that everybody has it. */
function Marks({ view: { isDefault, isShared } }: { view: LogView }) {
  const { t } = useTranslation("logs");
  return (
    <Group gap={6} wrap="nowrap">
      {isDefault && <IconStarFilled size={14} aria-label={t("views.default")} />}
      {isShared && <IconUsers size={14} aria-label={t("views.shared")} />}
    </Group>
  );
}

function Mark({ isShown }: { isShown: boolean }) {
  return isShown ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />;
}

/** Forgets a view, and offers to have it back. */
function useForgetView(): (view: LogView) => void {
  const { t } = useTranslation("logs");
  const forget = useDeleteView();
  const save = useSaveView();
  return (view) =>
    forget.mutate(view, {
      onSuccess: () =>
        toastSuccess(t("views.forgotten", { name: view.name }), {
          label: t("views.undo"),
          onSelect: () => save.mutate(view),
        }),
    });
}

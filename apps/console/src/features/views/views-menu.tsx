import { Group } from "@mantine/core";
import type { ViewPage } from "@one-api/contract/view";
import { IconPlus, IconStarFilled, IconTrash, IconUsers } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { MenuEntry } from "../../components/floating/menu-entry.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { Bookmark, BookmarksMenu } from "./bookmarks-menu.tsx";
import { BUILT_IN_VIEWS } from "./built-in-views.ts";
import {
  addressOf,
  type NamedView,
  type ReadViewFields,
  setFieldsOf,
  useChooseDefaultView,
  useDeleteView,
  useSaveView,
  useShareView,
  useViews,
  type ViewFields,
} from "./view-queries.ts";

const SaveViewDialog = lazyPart(() => import("./save-view-dialog.tsx"));

function useViewChanges(page: ViewPage) {
  const { t } = useTranslation("views");
  const isAdmin = useIsAdmin();
  const forget = useForgetView(page);
  const { mutate: share } = useShareView(page);
  const { mutate: chooseDefault } = useChooseDefaultView(page);
  return (view: NamedView): MenuEntry[] => {
    const { id, name, isShared, isOwn, isDefault } = view;
    const toggleDefault = () => chooseDefault(isDefault ? 0 : id);
    const toggleShared = () => share({ id, isShared: !isShared });
    return [
      { id: "change", label: t("change", { name }) },
      { id: "default", label: t("isDefault"), isOn: isDefault, onToggle: toggleDefault },
      ...(isAdmin ? [{ id: "share", label: t("isShared"), isOn: isShared, onToggle: toggleShared }] : []),
      ...(isOwn
        ? [
            {
              id: "forget",
              label: t("forget", { name }),
              icon: <IconTrash size={16} />,
              tone: "danger" as const,
              onSelect: () => forget(view),
            },
          ]
        : []),
    ];
  };
}

interface CurrentView {
  readonly fields: ViewFields;
  /** The address asks for no more than the page itself. */
  readonly isBare: boolean;
  show(fields: ViewFields): void;
}

function useCurrentView(read: ReadViewFields): CurrentView {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { setFilters } = useListSearch();
  const all = read(raw);
  const nothing = Object.fromEntries(Object.keys(all).map((name) => [name, undefined]));
  return {
    fields: setFieldsOf(all),
    isBare: Object.values(raw).every((value) => value === undefined),
    show: (fields: ViewFields) => setFilters({ ...nothing, ...addressOf(fields) }),
  };
}

/** Applies the user's default view once, if the address has no state. */
function useDefaultView({ isBare, show }: CurrentView, views: readonly NamedView[] | undefined) {
  const isDue = useRef(isBare);
  useEffect(() => {
    if (!isDue.current || (views === undefined && isBare)) return;
    isDue.current = false;
    const chosen = views?.find(({ isDefault }) => isDefault);
    if (isBare && chosen !== undefined) show(chosen.fields);
  }, [isBare, views, show]);
}

const isSame = (left: ViewFields, right: ViewFields) => {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => left[name] === right[name]);
};

export interface ViewsMenuProps {
  page: ViewPage;
  read: ReadViewFields;
  /** It was pressed before it was there: it opens at once. */
  isOpened: boolean;
}

function useViewEntries(page: ViewPage, views: readonly NamedView[], { fields, show }: CurrentView) {
  const { t } = useTranslation("views");
  const builtIn = BUILT_IN_VIEWS[page].map((view) => ({ ...view, name: t(view.label) }));
  const shown = views.find((view) => isSame(view.fields, fields));
  const shownBuiltIn = shown === undefined ? builtIn.find((view) => isSame(view.fields, fields)) : undefined;
  const entries: MenuEntry[] = [
    ...builtIn.map((view) => ({
      id: view.label,
      label: view.name,
      icon: <Bookmark isShown={view === shownBuiltIn} />,
      onSelect: () => show(view.fields),
    })),
    ...(views.length === 0 ? [] : [{ id: "saved", label: t("savedOnes") }]),
    ...views.map((view) => ({
      id: `${view.id}`,
      label: view.name,
      icon: <Bookmark isShown={view === shown} />,
      mark: <Marks view={view} />,
      onSelect: () => show(view.fields),
    })),
  ];
  return { entries, shown, name: (shown ?? shownBuiltIn)?.name };
}

export default function ViewsMenu({ page, read, isOpened }: ViewsMenuProps) {
  const { t } = useTranslation("views", "common");
  const views = useViews(page, read);
  const current = useCurrentView(read);
  useDefaultView(current, views);
  const [isNaming, setIsNaming] = useState(false);
  const changesOf = useViewChanges(page);
  const { entries, shown, name } = useViewEntries(page, views ?? [], current);
  const save: MenuEntry[] = [
    { id: "present", label: t("present") },
    {
      id: "save",
      label: t("save"),
      icon: <IconPlus size={16} />,
      isDisabled: Object.keys(current.fields).length === 0,
      onSelect: () => setIsNaming(true),
    },
  ];
  return (
    <>
      <BookmarksMenu
        label={t("common:views")}
        shownName={name}
        entries={[...entries, ...(shown === undefined ? save : changesOf(shown))]}
        isOpened={isOpened}
      />
      {isNaming && <SaveViewDialog page={page} fields={current.fields} onClose={() => setIsNaming(false)} />}
    </>
  );
}

/** That the list begins with a view, and that everybody has it. */
function Marks({ view: { isDefault, isShared } }: { view: NamedView }) {
  const { t } = useTranslation("views");
  return (
    <Group gap="2xs" wrap="nowrap">
      {isDefault && <IconStarFilled size={14} aria-label={t("default")} />}
      {isShared && <IconUsers size={14} aria-label={t("shared")} />}
    </Group>
  );
}

function useForgetView(page: ViewPage): (view: NamedView) => void {
  const { t } = useTranslation("views");
  const forget = useDeleteView(page);
  const save = useSaveView(page);
  return (view) =>
    forget.mutate(view, {
      onSuccess: () =>
        toastSuccess(t("forgotten", { name: view.name }), {
          label: t("undo"),
          onSelect: () => save.mutate(view),
        }),
    });
}

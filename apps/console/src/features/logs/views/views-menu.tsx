import { Button } from "@mantine/core";
import { IconBookmark, IconBookmarkFilled, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { MenuButton, type MenuEntry } from "../../../components/floating/menu-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/later-part.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { NO_FILTERS } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { type LogView, setFieldsOf, useDeleteView, useSaveView, useViews } from "./view-queries.ts";

const SaveViewDialog = lazyPart(() => import("./save-view-dialog.tsx"));

/** The sets of filters that the user has named: shows one, names the present one, forgets it. */
export function ViewsMenu({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const views = useViews(useIsAdmin());
  const [isNaming, setIsNaming] = useState(false);
  const forget = useForgetView();
  const present = JSON.stringify(setFieldsOf(filter.filters));
  const shown =
    filter.count === 0 ? undefined : views.find(({ filters }) => JSON.stringify(setFieldsOf(filters)) === present);
  const entries: MenuEntry[] = views.map((view) => ({
    id: `${view.id}`,
    label: view.name,
    icon: <Mark isShown={view === shown} />,
    onSelect: () => filter.change({ ...NO_FILTERS, ...view.filters }),
  }));
  const changes: MenuEntry[] =
    shown === undefined
      ? [
          {
            id: "save",
            label: t("views.save"),
            icon: <IconPlus size={16} />,
            isDisabled: filter.count === 0,
            onSelect: () => setIsNaming(true),
          },
        ]
      : [
          {
            id: "forget",
            label: t("views.forget", { name: shown.name }),
            icon: <IconTrash size={16} />,
            tone: "danger",
            onSelect: () => forget(shown),
          },
        ];
  return (
    <>
      <MenuButton
        entries={[...entries, ...changes]}
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

import type { ReactNode } from "react";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useOptions } from "../options/option-queries.ts";
import type { SavedOptions } from "../options/option-draft.ts";

export function WithSavedOptions({ children }: { children: (saved: SavedOptions) => ReactNode }) {
  const { t } = useTranslation("settings");
  const options = useOptions();
  if (options.data !== undefined) return children(options.data);
  if (!options.isError) return <LoadingPlaceholder prompt={t("prompt")} />;
  return <ListError error={options.error} onRetry={() => void options.refetch()} />;
}

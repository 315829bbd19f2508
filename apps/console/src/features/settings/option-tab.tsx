import type { ReactNode } from "react";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useOptions } from "./system/option-queries.ts";
import type { SavedOptions } from "./system/system-options.ts";
import classes from "./settings-page.module.css";

/** A tab that sets options: its sections, once the options are there. */
export function OptionTab({ children }: { children: (saved: SavedOptions) => ReactNode }) {
  const { t } = useTranslation("settings");
  const options = useOptions();
  if (options.data !== undefined) return <div className={classes.sections}>{children(options.data)}</div>;
  if (!options.isError) return <LoadingPlaceholder prompt={t("prompt")} />;
  return <ListError error={options.error} onRetry={() => void options.refetch()} />;
}

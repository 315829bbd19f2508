import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { bookmarksButton } from "../../views/views-button.tsx";
import type { Asking } from "../use-playground.ts";

const Presets = bookmarksButton<{ asking: Asking }>(() => import("./presets-menu.tsx"), ["views"]);

/** Menu of the saved presets. */
export function PresetsButton({ asking }: { asking: Asking }) {
  const { t } = useTranslation("playground");
  return <Presets label={t("presets.title")} props={{ asking }} />;
}

import { useTranslation } from "react-i18next";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { SetContent } from "../../components/set-content.tsx";
import { useDelayed } from "../../lib/use-delayed.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { useHomeContent } from "./api/use-home-content.ts";
import { Welcome } from "./welcome.tsx";

/** What administrators set as the home page, else a welcome. */
export default function HomePage() {
  const { t } = useTranslation("home");
  const content = useHomeContent();
  const showLoading = useDelayed(content.isPending);
  usePageTitle("");
  if (content.isPending) return showLoading ? <LoadingPlaceholder /> : null;
  const text = content.data ?? "";
  return text.trim() === "" ? <Welcome /> : <SetContent content={text} title={t("title")} />;
}

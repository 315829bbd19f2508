import { Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { NoticeGate } from "../notice/notice-gate.tsx";
import { usePublicStatus } from "./api/use-public-status.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { CustomFooter } from "./custom-footer.tsx";
import { MobileBar } from "./mobile-bar.tsx";
import classes from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";
import { usePageIcon } from "./use-page-icon.ts";
import { useReloadAfterOutage } from "./use-reload-after-outage.ts";

/** The frame around every page. */
export function Shell() {
  const { t } = useTranslation("shell");
  const status = usePublicStatus();
  usePageIcon(useStoredStatus().logo);
  useFocusOnNavigation();
  useReloadAfterOutage(status.isServerGone);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t("skipToContent")}
      </a>
      <Sidebar />
      <div className={classes.content}>
        <MobileBar />
        {status.isServerGone && (
          <ConnectionBanner isRetrying={status.isFetching} onRetry={() => void status.refetch()} />
        )}
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
        <CustomFooter />
      </div>
      <NoticeGate />
    </div>
  );
}

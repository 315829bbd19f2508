import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { useLeaveQuestion } from "../../components/form/use-leave-question.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { hasUnsavedWork } from "../../lib/state/unsaved-work.ts";
import { placeOf, type SettingsPlace } from "./navigation/settings-map.ts";
import { SettingsNav } from "./navigation/settings-nav.tsx";
import { isSettingsTab, readSettingsSearch } from "./navigation/settings-search.ts";
import { useOptions } from "./options/option-queries.ts";
import { useViewer } from "./form/use-viewer.ts";
import { PersonalSettings } from "./personal/personal-settings.tsx";
import classes from "./settings-page.module.css";

const PERSONAL_TAB = { name: "personal", Panel: PersonalSettings } as const;

const ADMIN_TABS = [
  { name: "operation", Panel: lazyPart(() => import("./operation/operation-settings.tsx")) },
  { name: "system", Panel: lazyPart(() => import("./system/system-settings.tsx")) },
  { name: "other", Panel: lazyPart(() => import("./other/other-settings.tsx")) },
] as const;

const route = getRouteApi("/setting");

function NotificationsLink() {
  const { t } = useTranslation("settings");
  return (
    <ButtonLink to="/notifications" variant="default">
      {t("notifications")}
    </ButtonLink>
  );
}

/** Scrolls the chosen tab to the middle: on a phone its neighbours are cut there and show that there are more. */
function useVisibleTab(tab: SettingsPlace["tab"]) {
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tabs.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab]);
  return tabs;
}

/** Settings in tabs: personal ones for everyone, the system's for administrators. One section is shown at a time. */
export default function SettingsPage() {
  const { t } = useTranslation("settings");
  const navigate = useNavigate({ from: "/setting" });
  const { data: saved } = useOptions(useIsAdmin());
  const viewer = useViewer(saved);
  const place = placeOf(route.useSearch(), viewer);
  const tabs = useVisibleTab(place.tab);
  // Each section saves on its own, and another place takes it away.
  useLeaveQuestion(hasUnsavedWork, ({ pathname, search }) => {
    const next = placeOf(readSettingsSearch({ ...search }), viewer);
    return pathname === "/setting" && next.tab === place.tab && next.section === place.section;
  });
  const shownTabs = viewer.isAdmin ? [PERSONAL_TAB, ...ADMIN_TABS] : [PERSONAL_TAB];
  return (
    <div className={classes.page}>
      <PageHeader title={t("title")} secondaryActions={viewer.isRoot && <NotificationsLink />} />
      <Tabs
        value={place.tab}
        onChange={(next) => void navigate({ search: { tab: isSettingsTab(next) ? next : undefined } })}
        keepMounted={false}
      >
        <Tabs.List ref={tabs} mb="md" className={classes.tabs ?? ""}>
          {shownTabs.map(({ name }) => (
            <Tabs.Tab key={name} value={name} data-tab={name} className={classes.tab ?? ""}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shownTabs.map(({ name, Panel }) => (
          <Tabs.Panel key={name} value={name}>
            <div className={classes.place}>
              <SettingsNav place={place} viewer={viewer} />
              <Panel key={place.section} section={place.section} />
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { WithSectionNav } from "../../components/form/section-nav.tsx";
import { useLeaveQuestion } from "../../components/form/use-leave-question.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { hasUnsavedWork } from "../../lib/state/unsaved-work.ts";
import { PersonalSettings } from "./personal/personal-settings.tsx";
import { isSettingsTab } from "./settings-search.ts";
import { tabOfOption } from "./wanted-option.ts";
import classes from "./settings-page.module.css";

const ADMIN_TABS = [
  { name: "operation", Panel: lazyPart(() => import("./operation/operation-settings.tsx")) },
  { name: "system", Panel: lazyPart(() => import("./system/system-settings.tsx")) },
  { name: "other", Panel: lazyPart(() => import("./other/other-settings.tsx")) },
] as const;

const route = getRouteApi("/setting");

/** Settings in tabs: one's own for everybody, the system's for administrators. */
export default function SettingsPage() {
  const { t } = useTranslation("settings");
  const isAdmin = useIsAdmin();
  const adminTabs = isAdmin ? ADMIN_TABS : [];
  const navigate = useNavigate({ from: "/setting" });
  const { tab: wanted, option } = route.useSearch();
  const tab = isAdmin ? (wanted ?? tabOfOption(option) ?? "personal") : "personal";
  const tabs = useRef<HTMLDivElement>(null);
  // A link may lead to a tab that stands beside the screen of a phone.
  useEffect(() => {
    tabs.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tab]);
  // Each section saves on its own, and another tab takes all of them away.
  useLeaveQuestion(hasUnsavedWork);
  return (
    <div className={classes.page}>
      <PageHeader title={t("title")} />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: isSettingsTab(next) ? next : undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabs} mb="md" className={classes.tabs ?? ""}>
          <Tabs.Tab value="personal" data-tab="personal" className={classes.tab ?? ""}>
            {t("tabs.personal")}
          </Tabs.Tab>
          {adminTabs.map(({ name }) => (
            <Tabs.Tab key={name} value={name} data-tab={name} className={classes.tab ?? ""}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="personal">
          <WithSectionNav>
            <PersonalSettings />
          </WithSectionNav>
        </Tabs.Panel>
        {adminTabs.map(({ name, Panel }) => (
          <Tabs.Panel key={name} value={name}>
            <WithSectionNav>
              <Panel />
            </WithSectionNav>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

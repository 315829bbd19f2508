import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/later-part.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { PersonalSettings } from "./personal/personal-settings.tsx";
import { isSettingsTab } from "./settings-search.ts";
import classes from "./settings-page.module.css";

const SystemSettings = lazyPart(() => import("./system/system-settings.tsx"));

const route = getRouteApi("/setting");

/** Settings in tabs: one's own for everybody, the system's for administrators. */
export default function SettingsPage() {
  const { t } = useTranslation("settings");
  const isAdmin = useIsAdmin();
  const navigate = useNavigate({ from: "/setting" });
  const { tab: wanted } = route.useSearch();
  const tab = isAdmin ? (wanted ?? "personal") : "personal";
  return (
    <div className={classes.page}>
      <PageHeader title={t("title")} />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: isSettingsTab(next) ? next : undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="personal">{t("tabs.personal")}</Tabs.Tab>
          {isAdmin && <Tabs.Tab value="system">{t("tabs.system")}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="personal">
          <PersonalSettings />
        </Tabs.Panel>
        {isAdmin && (
          <Tabs.Panel value="system">
            <SystemSettings />
          </Tabs.Panel>
        )}
      </Tabs>
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { factorsQuery, sessionsQuery } from "./factor-queries.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import settings from "../settings-page.module.css";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";

export function SecuritySettings() {
  const factors = useQuery(factorsQuery);
  const sessions = useQuery(sessionsQuery);
  return (
    <div className={settings.sections} data-loading={factors.isPending || sessions.isPending || undefined}>
      <TwoStepCard />
      <PasskeysCard />
      <SessionsCard />
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { isUnknownCall } from "../../../lib/api/unless-unknown.ts";
import { factorsQuery, sessionsQuery } from "./factor-queries.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import settings from "../settings-page.module.css";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";

/** What one proves the account with beside the password, and where it is logged in; of a server that knows of neither, nothing. */
export function SecuritySettings() {
  const factors = useQuery(factorsQuery);
  const sessions = useQuery(sessionsQuery);
  return (
    <div className={settings.sections} data-loading={factors.isPending || sessions.isPending || undefined}>
      {!isUnknownCall(factors.error) && (
        <>
          <TwoStepCard />
          <PasskeysCard />
        </>
      )}
      {!isUnknownCall(sessions.error) && <SessionsCard />}
    </div>
  );
}

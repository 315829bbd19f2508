import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../../components/boxes/card.tsx";
import { LoadProblem } from "../../../components/load-problem.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { RecentRequests } from "../../logs/recent-requests.tsx";
import { newestRequestsQuery, REQUESTS_SHOWN } from "./summary-queries.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["type", "details", "prompt", "completion"]);

export function NewestRequests() {
  const { t } = useTranslation("home");
  const navigate = useNavigate();
  const { data: logs = [], error, refetch } = useQuery(newestRequestsQuery(useIsAdmin()));
  const hasNone = logs.length === 0;
  if (hasNone && error === null) return null;
  return (
    <Card
      title={t("summary.newest")}
      actions={
        <TextLink to="/log" size="sm">
          {t("summary.logs")}
        </TextLink>
      }
    >
      {hasNone && error !== null ? (
        <LoadProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <RecentRequests
          label={t("summary.newestTable")}
          logs={logs.slice(0, REQUESTS_SHOWN)}
          without={LEFT_OUT}
          onOpen={(open) => void navigate({ to: "/log", search: { open } })}
        />
      )}
    </Card>
  );
}

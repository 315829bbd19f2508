import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { LOG_TYPE } from "@one-api/contract/constants";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../components/boxes/card.tsx";
import { NoLines } from "../../components/boxes/line-list.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { RecentRequests } from "../logs/recent-requests.tsx";
import { requestsOfUserQuery } from "./page-queries.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["user", "type", "channel", "details", "timeTaken"]);

/** Each is as high as three rows of a table. */
const CARDS_SHOWN = 4;

export function RequestsCard({ user: { id, username } }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  const navigate = useNavigate();
  const asCards = useCardScreen();
  const { data, error, refetch } = useQuery(requestsOfUserQuery(id, username));
  const filter = { username: [username], type: [LOG_TYPE.consumption] };
  return (
    <Card
      title={t("requests.title")}
      actions={
        <TextLink to="/log" search={filter} size="sm">
          {t("requests.all")}
        </TextLink>
      }
    >
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("requests.title")} />}
      {data === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <NoLines>{t("requests.none")}</NoLines>}
      {data !== undefined && data.rows.length > 0 && (
        <RecentRequests
          label={t("requests.table")}
          logs={asCards ? data.rows.slice(0, CARDS_SHOWN) : data.rows}
          without={LEFT_OUT}
          onOpen={(open) => void navigate({ to: "/log", search: { ...filter, open } })}
        />
      )}
    </Card>
  );
}

import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { LOG_TYPE } from "@one-api/contract/constants";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { Line, LineList, NoLines } from "../../components/boxes/line-list.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useOwnWords } from "../logs/events/event-words.ts";
import { topUpsOfUserQuery } from "./page-queries.ts";

export function TopUpsCard({ user: { id, username } }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  const words = useOwnWords();
  const { data, error, refetch } = useQuery(topUpsOfUserQuery(id, username));
  return (
    <Card
      title={t("topUps.title")}
      actions={
        <TextLink to="/log" search={{ username: [username], type: [LOG_TYPE.topUp] }} size="sm">
          {t("topUps.all")}
        </TextLink>
      }
    >
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("topUps.title")} />}
      {error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <NoLines>{t("topUps.none")}</NoLines>}
      <LineList>
        {data?.rows.map((log) => (
          <Line
            key={log.id}
            name={words(log, undefined)?.sentence ?? log.content}
            end={<TimeText time={log.created_at} dateOnly />}
          />
        ))}
      </LineList>
    </Card>
  );
}

import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { LOG_TYPE } from "@one-api/contract/constants";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { NoLines } from "../../components/boxes/line-list.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TopUpLines } from "../topup/top-up-lines.tsx";
import { topUpsOfUserQuery } from "./page-queries.ts";

export function TopUpsCard({ user: { id, username } }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
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
      <TopUpLines logs={data?.rows ?? []} />
    </Card>
  );
}

import { Button } from "@mantine/core";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { LineList, NoLines } from "../../components/boxes/line-list.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TokenSpend } from "../tokens/token-spend.tsx";
import { tokensOfUserQuery } from "./page-queries.ts";

const SHOWN_AT_FIRST = 5;

/** The user's tokens, the last used first, each leading to its entries in the log. */
export function TokensCard({ user: { id, username } }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  const { data, error, refetch } = useQuery(tokensOfUserQuery(id));
  const [showsAll, setShowsAll] = useState(false);
  const tokens = (data?.rows ?? []).toSorted((one, other) => other.accessed_time - one.accessed_time);
  const count = data?.total ?? 0;
  const left = count - tokens.length;
  return (
    <Card title={t("tokens.title", { count })} description={t("tokens.hint")}>
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("tokens.title", { count })} />}
      {error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <NoLines>{t("tokens.none")}</NoLines>}
      <LineList>
        {tokens.slice(0, showsAll ? tokens.length : SHOWN_AT_FIRST).map((token) => (
          <TokenSpend key={token.id} token={token} username={username} />
        ))}
      </LineList>
      {!showsAll && tokens.length > SHOWN_AT_FIRST && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => setShowsAll(true)}>
          {t("tokens.all")}
        </Button>
      )}
      {showsAll && left > 0 && <NoLines>{t("tokens.older", { count: left })}</NoLines>}
    </Card>
  );
}

import { LOG_TYPE } from "@one-api/contract/constants";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { NoLines } from "../../components/boxes/line-list.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { selfQuery } from "../profile/self-queries.ts";
import { TopUpLines } from "./top-up-lines.tsx";

/** The smallest page that the server returns. */
const PAGE_SIZE = 10;

const TOP_UPS_SHOWN = 5;

/** Below the key of the own account, so that a redemption loads it anew. */
const ownTopUpsQuery = queryOptions({
  queryKey: [...selfQuery.queryKey, "top-ups"],
  queryFn: ({ signal }) => callApi("GET /api/log/self/", { query: { type: LOG_TYPE.topUp, size: PAGE_SIZE }, signal }),
  meta: { quiet: true },
});

/** The newest top-ups. */
export default function OwnTopUps() {
  const { t } = useTranslation("topup");
  const { data: logs } = useQuery(ownTopUpsQuery);
  if (logs === undefined) return null;
  return (
    <Card
      title={t("newest")}
      actions={
        logs.length > 0 && (
          <TextLink to="/log" search={{ type: [LOG_TYPE.topUp] }} size="sm">
            {t("history")}
          </TextLink>
        )
      }
    >
      {logs.length === 0 && <NoLines>{t("none")}</NoLines>}
      <TopUpLines logs={logs.slice(0, TOP_UPS_SHOWN)} />
    </Card>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../components/boxes/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ERROR_RESULTS } from "../../lib/values/result-looks.ts";
import LogErrorsList from "../logs/errors/log-errors.tsx";
import type { TrafficRange } from "./page-queries.ts";

/** Failed requests by the provider's own message. */
export default function ErrorsCard({ channelId, range }: { channelId: number; range: TrafficRange }) {
  const { t } = useTranslation("channel-page");
  const navigate = useNavigate();
  const filters = { channel: [channelId], range, result: ERROR_RESULTS };
  return (
    <Card
      title={t("failures")}
      actions={
        <TextLink to="/log" search={{ ...filters, view: "errors" }} size="sm">
          {t("log")}
        </TextLink>
      }
    >
      <LogErrorsList
        filters={filters}
        isBrief
        onOpen={(open) => void navigate({ to: "/log", search: { ...filters, open } })}
      />
    </Card>
  );
}

import { Button } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import type { ChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { formatInteger, formatPercent, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useSetFilters } from "../../lib/list/use-list-search.ts";
import { RESULT_COLOURS } from "../../lib/values/result-looks.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { ModelsTable } from "./models-table.tsx";
import { timesQuery, type TrafficRange, trafficQuery, useWakeChannel } from "./page-queries.ts";
import classes from "./traffic-cards.module.css";

type Result = ChannelTraffic["results"][number]["result"];

const TrafficCharts = lazyPart(() => import("./traffic-charts.tsx"), ["dashboard"]);
const ErrorsCard = lazyPart(() => import("./errors-card.tsx"), ["logs", "channel-reasons"]);

interface TrafficProps {
  traffic: ChannelTraffic;
  channelId: number;
  range: TrafficRange;
}

function ResultName({ result, channelId, range }: Omit<TrafficProps, "traffic"> & { result: Result }) {
  const { t } = useTranslation("channel-page", "logs");
  if (result === "") return <span>{t("noResult")}</span>;
  return (
    <TextLink to="/log" search={{ channel: [channelId], result: [result], range }} inherit>
      {t(`logs:results.${result}`)}
    </TextLink>
  );
}

/** How the requests ended: parts of one bar, which the list below names. */
function Results({ traffic: { results }, ...of }: TrafficProps) {
  const { t, language } = useTranslation("channel-page");
  return (
    <div className={classes.results}>
      <div className={classes.track} aria-hidden="true">
        {results.map(({ result, requests }) => (
          <span key={result} style={{ flexGrow: requests, background: RESULT_COLOURS[result] }} />
        ))}
      </div>
      <ul className={classes.names} aria-label={t("results")}>
        {results.map(({ result, requests }) => (
          <li key={result}>
            <span className={classes.swatch} style={{ background: RESULT_COLOURS[result] }} aria-hidden="true" />
            <ResultName result={result} {...of} />
            <span className="numbers">{formatInteger(requests, language)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function FirstToken({ traffic }: { traffic: ChannelTraffic }) {
  const { t } = useTranslation("channel-page");
  const { first_byte_p50_ms: p50, first_byte_p95_ms: p95, first_byte_p99_ms: p99 } = traffic;
  if (p50 === null) return "–";
  return (
    <span>
      {formatSeconds(p50)}
      {p95 !== null && (
        <small>
          {" "}
          {t("p95", { time: formatSeconds(p95) })}
          {p99 !== null && ` · ${t("p99", { time: formatSeconds(p99) })}`}
        </small>
      )}
    </span>
  );
}

const RANGES = ["day", "week", "month"] as const satisfies readonly TrafficRange[];

function RangeChoice({ range }: { range: TrafficRange }) {
  const { t } = useTranslation("channel-page");
  const setFilters = useSetFilters();
  return (
    <ChoiceButtons
      label={t("range.label")}
      choices={RANGES.map((value) => ({ value, text: t(`range.${value}`) }))}
      value={range}
      onChange={(chosen) => setFilters({ range: chosen === "day" ? undefined : chosen })}
    />
  );
}

function Traffic({ traffic, channelId, range }: TrafficProps) {
  const { t, language } = useTranslation("channel-page");
  const { requests, errors, quota, tokens } = traffic;
  return (
    <Card
      title={t("traffic")}
      description={requests === 0 ? t("noRequests") : t("trafficHint")}
      actions={
        <div className={classes.tools}>
          <RangeChoice range={range} />
          <TextLink to="/log" search={{ channel: [channelId], range }} size="sm">
            {t("log")}
          </TextLink>
        </div>
      }
    >
      <Stats>
        <Stat label={t("requests")}>{formatInteger(requests, language)}</Stat>
        <Stat label={t("errors")}>
          <span data-bad={errors > 0} className={classes.errors}>
            {formatInteger(errors, language)}
            {requests > 0 && <small> {formatPercent(errors / requests, language, 1)}</small>}
          </span>
        </Stat>
        <Stat label={t("columns.latency")}>
          <FirstToken traffic={traffic} />
        </Stat>
        <Stat label={t("spend")}>
          <QuotaText quota={quota} />
        </Stat>
        <Stat label={t("tokens")}>{formatInteger(tokens, language)}</Stat>
      </Stats>
      {requests > 0 && (
        <div className={classes.charts}>
          <TrafficCharts channelId={channelId} range={range} />
        </div>
      )}
      {requests > 0 && <Results traffic={traffic} channelId={channelId} range={range} />}
    </Card>
  );
}

function Models({ traffic, channel, range }: Omit<TrafficProps, "channelId"> & { channel: Channel }) {
  const { t } = useTranslation("channel-page");
  const { data: times } = useQuery(timesQuery(channel.id, range));
  const wake = useWakeChannel(channel.id);
  const rests = channel.paused_until > 0 || traffic.models.some(({ rest }) => rest !== "");
  return (
    <Card
      title={t("models")}
      description={t(`modelsHint.${range}`)}
      actions={
        rests && (
          <Button
            variant="default"
            size="compact-sm"
            loading={wake.isPending}
            onClick={() => wake.mutate(undefined, { onSuccess: () => toastSuccess(t("woken")) })}
          >
            {t("wake")}
          </Button>
        )
      }
    >
      <ModelsTable models={traffic.models} times={times} />
    </Card>
  );
}

export function TrafficCards({ channel, range }: { channel: Channel; range: TrafficRange }) {
  const { t } = useTranslation("channel-page");
  const { id } = channel;
  const { data: traffic, error, refetch } = useQuery(trafficQuery(id, range));
  if (traffic !== undefined) {
    return (
      <>
        <Traffic traffic={traffic} channelId={id} range={range} />
        <Models traffic={traffic} channel={channel} range={range} />
        {traffic.requests > 0 && <ErrorsCard channelId={id} range={range} />}
      </>
    );
  }
  return (
    <Card title={t("traffic")}>
      {error === null ? (
        <LoadingPlaceholder prompt={t("traffic")} />
      ) : (
        <ListError error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  );
}

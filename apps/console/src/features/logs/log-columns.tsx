import { LOG_TYPE, type Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";
import { IconRipple } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Language } from "../../lib/i18n/languages.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { formatInteger, formatSeconds, roundToDigits } from "../../lib/format.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import classes from "./log-columns.module.css";
import { useOwnWords } from "./events/event-words.ts";
import { TokenLink, UserLink } from "./log-links.tsx";
import { LogResultBadge, readLogDetail } from "./log-outcome.tsx";
import { isModelCall, LogTypeBadge } from "./log-types.tsx";
import { formatSecondsWithin } from "./seconds-within.ts";

/** First byte and whole answer, with a mark on streams. */
function TimeTakenCell({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  if (log.elapsed_time <= 0) return <span className={classes.none}>–</span>;
  const firstByteMs = readLogDetail(log)?.first_byte_ms ?? 0;
  const total = formatSeconds(log.elapsed_time);
  return (
    <span className={classes.taken} title={t("columns.timeTakenHint")}>
      {log.is_stream && (
        <span className={classes.stream} title={t("stream")}>
          <IconRipple size={14} aria-hidden="true" />
          <span className="visually-hidden">{t("stream")}</span>
        </span>
      )}
      <span>
        {firstByteMs > 0 && <span className={classes.firstByte}>{formatSecondsWithin(firstByteMs, total)} / </span>}
        {total}
      </span>
    </span>
  );
}

type LogCharge = NonNullable<LogDetail["charge"]>;

const RATIO_DIGITS = 3;

/** A ratio with three digits that count; the entry's sheet has all of them. */
function shortRatio(ratio: number): number {
  return roundToDigits(ratio, RATIO_DIGITS);
}

function wordsOf({ content }: Log, detail: LogDetail | undefined, t: Translate<"logs">): string {
  if (detail?.told === undefined) return content;
  const { charge } = detail;
  if (charge === undefined) return t("charge.nothing");
  return ratiosOf(charge, givesTokens(detail), t);
}

const givesTokens = (detail: LogDetail | undefined): boolean =>
  detail?.input_only === undefined && detail?.charge?.units === undefined;

function ratiosOf(charge: LogCharge, hasOutput: boolean, t: Translate<"logs">, write = (ratio: number) => ratio) {
  const { model_ratio: model, group_ratio: group, completion_ratio: completion } = charge;
  const ratios = { model: write(model), group: write(group) };
  return hasOutput ? t("charge.ratios", { ...ratios, completion: write(completion) }) : t("charge.inputRatios", ratios);
}

function LogDetailsCell({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  const detail = readLogDetail(log);
  const charge = detail?.charge;
  const own = useOwnWords()(log, detail);
  const title = own?.sentence ?? wordsOf(log, detail, t);
  if (charge?.rule === "estimated" || charge?.rule === "partial") {
    return (
      <span className={classes.details} title={title}>
        <StatusBadge tone="warning">{t(`charge.short.${charge.rule}`)}</StatusBadge>
      </span>
    );
  }
  const words = charge === undefined ? title : ratiosOf(charge, givesTokens(detail), t, shortRatio);
  return (
    <span className={classes.details} title={title}>
      <span className={classes.words}>{words === "" ? "–" : words}</span>
    </span>
  );
}

const none = <span className={classes.none}>–</span>;
const named = (name: string) =>
  name === "" ? (
    none
  ) : (
    <span className={classes.name} title={name}>
      {name}
    </span>
  );

const saysInPlaceOfModel = ({ model_name: model, type }: Log) => model === "" && !isModelCall(type);

function ModelCell({ log }: { log: Log }) {
  const own = useOwnWords()(log, undefined);
  if (!saysInPlaceOfModel(log)) return <span className={classes.model}>{named(log.model_name)}</span>;
  return <span className={`${classes.model} ${classes.event}`}>{named(own?.sentence ?? log.content)}</span>;
}

function channelText({ channel, channel_name: name }: Log) {
  if (channel === 0) return none;
  return (
    <TextLink
      to="/channel/$id"
      params={{ id: channel }}
      inherit
      c="inherit"
      className={classes.name}
      title={`#${channel}`}
    >
      {name || `#${channel}`}
    </TextLink>
  );
}

function usedUnits(log: Log, t: Translate<"logs">, language: Language): string | undefined {
  const units = readLogDetail(log)?.charge?.units;
  return units && t(`used.${units.unit}`, { count: units.count, amount: formatInteger(units.count, language) });
}

function CardLines({ log }: { log: Log }) {
  const { t, language } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const detail = readLogDetail(log);
  const own = useOwnWords()(log, detail);
  const isCall = isModelCall(log.type);
  const [came, went] = [formatInteger(log.prompt_tokens, language), formatInteger(log.completion_tokens, language)];
  const tokens = detail?.input_only === undefined ? `${came} → ${went}` : came;
  const who = [isAdmin ? log.username : "", log.token_name].filter((name) => name !== "").join(" · ");
  if (saysInPlaceOfModel(log)) {
    return (
      <div className={classes.lines}>
        <span className={classes.told}>{own?.sentence ?? log.content}</span>
        <span className={classes.who}>{who}</span>
        <span className={classes.cost}>{log.quota !== 0 && <QuotaText quota={log.quota} />}</span>
      </div>
    );
  }
  return (
    <div className={classes.lines}>
      <span className={classes.what}>{log.model_name}</span>
      <span className={classes.who}>{who}</span>
      <span className={`numbers ${classes.used ?? ""}`}>
        {isCall ? (usedUnits(log, t, language) ?? t("card.tokens", { tokens })) : (own?.sentence ?? log.content)}
      </span>
      <span className={classes.cost}>
        {log.elapsed_time > 0 && <span className="numbers">{formatSeconds(log.elapsed_time)}</span>}
        {(log.quota !== 0 || isCall) && <QuotaText quota={log.quota} />}
      </span>
    </div>
  );
}

function numberColumns(t: Translate<"logs">, language: Language): DataColumn<Log>[] {
  const amount = (log: Log, tokens: number) => (isModelCall(log.type) ? formatInteger(tokens, language) : none);
  return [
    {
      id: "prompt",
      priority: 2,
      header: t("columns.prompt"),
      align: "right",
      cell: (log) => usedUnits(log, t, language) ?? amount(log, log.prompt_tokens),
    },
    {
      id: "completion",
      priority: 2,
      header: t("columns.completion"),
      align: "right",
      cell: (log) => (givesTokens(readLogDetail(log)) ? amount(log, log.completion_tokens) : none),
    },
    {
      id: "quota",
      header: t("columns.quota"),
      align: "right",
      cell: (log) => (log.quota === 0 && !isModelCall(log.type) ? none : <QuotaText quota={log.quota} />),
    },
    {
      id: "timeTaken",
      header: t("columns.timeTaken"),
      hint: t("columns.timeTakenHint"),
      align: "right",
      cell: (log) => <TimeTakenCell log={log} />,
    },
  ];
}

function detailsColumn(t: Translate<"logs">): DataColumn<Log> {
  return { id: "details", header: t("columns.details"), cell: (log) => <LogDetailsCell log={log} /> };
}

function eventColumns(t: Translate<"logs">, language: Language): DataColumn<Log>[] {
  const details = detailsColumn(t);
  return [
    ...numberColumns(t, language).filter(({ id }) => id === "quota"),
    { ...details, cell: (log) => <div className={classes.sentence}>{details.cell(log)}</div> },
  ];
}

function adminColumns(t: Translate<"logs">): DataColumn<Log>[] {
  return [
    { id: "channel", priority: 3, header: t("columns.channel"), cell: (log) => channelText(log) },
    {
      id: "user",
      priority: 2,
      header: t("columns.user"),
      cell: (log) => <UserLink log={log}>{named(log.username)}</UserLink>,
    },
  ];
}

/** The time opens the entry, so that the keyboard can. */
function timeColumn(onOpen: (id: number) => void, t: Translate<"logs">): DataColumn<Log> {
  return {
    id: "time",
    header: t("columns.time"),
    card: "title",
    cell: (log) => (
      <button type="button" className={classes.open} aria-haspopup="dialog" onClick={() => onOpen(log.id)}>
        <RelativeTime time={log.created_at} hasClock />
      </button>
    ),
  };
}

function resultColumn(t: Translate<"logs">): DataColumn<Log> {
  return {
    id: "result",
    header: t("columns.result"),
    card: "badge",
    cell: (log) => (
      <span className={classes.result}>
        <LogResultBadge log={log} />
      </span>
    ),
  };
}

function cardColumns(onOpen: (id: number) => void, t: Translate<"logs">): DataColumn<Log>[] {
  // An entry without a request has no result: its card shows the type there.
  const outcome: DataColumn<Log> = {
    ...resultColumn(t),
    cell: (log) => (isModelCall(log.type) ? <LogResultBadge log={log} /> : <LogTypeBadge log={log} />),
  };
  const lines: DataColumn<Log> = { id: "lines", header: "", card: "plain", cell: (log) => <CardLines log={log} /> };
  return [timeColumn(onOpen, t), outcome, lines];
}

/** The columns of the log, of one type or of all (0); channel and user are for administrators. The same list until one of these changes. */
export function useLogColumns(onOpen: (id: number) => void, type = 0): DataColumn<Log>[] {
  const { t, language } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const asCards = useCardScreen();
  return useMemo(
    () => (asCards ? cardColumns(onOpen, t) : tableColumns({ onOpen, type, isAdmin, t, language })),
    [asCards, onOpen, type, isAdmin, t, language],
  );
}

interface TableColumnsOptions {
  onOpen(id: number): void;
  type: number;
  isAdmin: boolean;
  t: Translate<"logs">;
  language: Language;
}

function tableColumns({ onOpen, type, isAdmin, t, language }: TableColumnsOptions): DataColumn<Log>[] {
  const time = timeColumn(onOpen, t);
  const admins = isAdmin ? adminColumns(t).filter(({ id }) => type !== LOG_TYPE.topUp || id !== "channel") : [];
  const details = detailsColumn(t);
  const isOfRequests = type === 0 || type === LOG_TYPE.refund || isModelCall(type);
  if (!isOfRequests) return [time, ...admins, ...eventColumns(t, language)];
  return [
    time,
    ...admins,
    {
      id: "token",
      priority: 3,
      header: t("columns.token"),
      cell: (log) => <TokenLink log={log}>{named(log.token_name)}</TokenLink>,
    },
    resultColumn(t),
    {
      id: "model",
      header: t("columns.model"),
      cell: (log) => <ModelCell log={log} />,
    },
    ...numberColumns(t, language),
    // The model column says what an entry is, the sheet how its price came about.
    { id: "type", priority: 4, header: t("columns.type"), cell: (log) => <LogTypeBadge log={log} /> },
    {
      ...details,
      startsHidden: true,
      width: 132,
      cell: (log) => (saysInPlaceOfModel(log) ? none : details.cell(log)),
    },
  ];
}

import { ActionIcon, Skeleton } from "@mantine/core";
import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { type Log, LOG_TYPE, type LogStory } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type Fact, Facts } from "../../../components/boxes/facts.tsx";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatNumber, formatSeconds } from "../../../lib/format.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { ListRows } from "../../../lib/list/use-list-rows.ts";
import { ChannelLink, type ChannelNames, TokenLink, UserLink } from "../log-links.tsx";
import { LogResultBadge, readLogDetail, RequestEndBadge } from "../log-outcome.tsx";
import { isModelCall, LogTypeBadge, useLogTypeName } from "../log-types.tsx";
import { useOwnWords } from "../events/event-words.ts";
import { useOpenRow } from "../../../lib/list/use-open-row.ts";
import { useLogStory } from "../log-queries.ts";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { canBeCurl } from "./log-as-curl.ts";
import { LogAttempts } from "./log-attempts.tsx";
import { LogBodies } from "./log-bodies.tsx";
import { LogCharge } from "./log-charge.tsx";
import classes from "./log-sheet.module.css";
import { OpenInPlayground } from "./open-in-playground.tsx";
import { speedOf } from "./speed-of.ts";

function namesIn(story: LogStory | undefined): ChannelNames {
  return new Map(story?.channel_names.map(({ id, name }) => [id, name]));
}

function nameOfChannel({ channel, channel_name: name }: Log): ChannelNames {
  return new Map(name === "" ? [] : [[channel, name]]);
}

interface EntryProps {
  log: Log;
  detail: LogDetail | undefined;
}

/** When and for whom the request was, and what it was refused for. */
function useOriginFacts({ log, detail }: EntryProps): (Fact | false)[] {
  const { t } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  return [
    {
      label: t("sheet.time"),
      value: (
        <>
          <TimeText time={log.created_at} />{" "}
          <span className={classes.ago}>
            <RelativeTime time={log.created_at} />
          </span>
        </>
      ),
    },
    isAdmin && log.username !== "" && { label: t("sheet.user"), value: <UserLink log={log}>{log.username}</UserLink> },
    log.token_name !== "" && { label: t("sheet.token"), value: <TokenLink log={log}>{log.token_name}</TokenLink> },
    detail?.key_hint !== undefined && { label: t("sheet.key"), value: <code>{`sk-…${detail.key_hint}`}</code> },
    detail?.group !== undefined && { label: t("sheet.group"), value: detail.group },
    isAdmin &&
      log.channel !== 0 && {
        label: t("sheet.channel"),
        value: <ChannelLink id={log.channel} names={nameOfChannel(log)} />,
      },
    detail?.refusal !== undefined &&
      detail.refusal !== "" && { label: t("sheet.refusal"), value: <code>{detail.refusal}</code> },
    log.status_code >= 400 && { label: t("sheet.status"), value: `HTTP ${log.status_code}` },
    detail?.system_prompt !== undefined && {
      label: t("sheet.systemPrompt"),
      value: t(`sheet.systemPrompts.${detail.system_prompt}`),
    },
  ];
}

/** A longer id needs the whole width. */
const SHORT_ID_LENGTH = 16;

/** Models, times and kind of the entry. */
function useAnswerFacts({ log, detail }: EntryProps): (Fact | false)[] {
  const { t, language } = useTranslation("logs");
  const typeName = useLogTypeName();
  const speed = speedOf(log, detail);
  const isCall = isModelCall(log.type);
  const firstByteMs = detail?.first_byte_ms ?? 0;
  return [
    log.model_name !== "" && {
      label: detail?.alias === undefined ? t("sheet.asked") : t("sheet.answered"),
      value: log.model_name,
    },
    detail?.alias !== undefined && { label: t("sheet.alias"), value: detail.alias },
    detail !== undefined &&
      detail.upstream_model !== "" &&
      detail.upstream_model !== log.model_name && { label: t("sheet.served"), value: detail.upstream_model },
    isCall && {
      label: t("sheet.transfer"),
      value: detail?.batch !== undefined ? t("sheet.inBatch") : log.is_stream ? t("stream") : t("sheet.whole"),
    },
    firstByteMs > 0 && { label: t("sheet.firstByte"), value: formatSeconds(firstByteMs), isNumber: true },
    log.elapsed_time > 0 && { label: t("sheet.total"), value: formatSeconds(log.elapsed_time), isNumber: true },
    speed !== undefined && {
      label: t("sheet.speed"),
      value: t("sheet.speedValue", { amount: formatNumber(speed, language, 1) }),
      isNumber: true,
    },
    !isCall && log.quota !== 0 && { label: t("columns.quota"), value: <QuotaText quota={log.quota} /> },
    isCall && log.type !== LOG_TYPE.consumption && { label: t("columns.type"), value: typeName(log.type) },
    log.request_id !== "" && {
      label: t("sheet.requestId"),
      isWide: log.request_id.length > SHORT_ID_LENGTH,
      value: (
        <span className={classes.copyable}>
          <code>{log.request_id}</code>
          <CopyButton text={log.request_id} label={t("sheet.copyRequestId")} />
        </span>
      ),
    },
  ];
}

function LogFacts(entry: EntryProps) {
  return <Facts facts={[...useOriginFacts(entry), ...useAnswerFacts(entry)]} />;
}

/** Notes of the entry that have no other place on the sheet: the server's text, and dropped fields. */
function LogNotes({ log, detail }: EntryProps) {
  const { t, language } = useTranslation("logs");
  const own = useOwnWords()(log, detail);
  const told = detail?.told;
  const dropped = told?.dropped ?? [];
  const words = own?.sentence ?? (told === undefined ? log.content : "");
  const notes = told?.notes ?? [];
  if (dropped.length === 0 && notes.length === 0 && words === "") return null;
  return (
    <SheetSection title={t("sheet.note")}>
      {dropped.length > 0 && <p className={classes.note}>{t("sheet.dropped", { fields: dropped.join(", ") })}</p>}
      {notes.map(({ code, reported, counted }) => (
        <p key={code} className={classes.note}>
          {t(`sheet.${code}`, { reported: formatNumber(reported, language), counted: formatNumber(counted, language) })}
        </p>
      ))}
      {words !== "" && <p className={classes.note}>{words}</p>}
      {own !== undefined && own.quote !== "" && (
        <blockquote className={classes.quote} lang="en">
          {own.quote}
        </blockquote>
      )}
    </SheetSection>
  );
}

/** True if the playground can repeat the request. */
function isChat({ type }: Log, detail: LogDetail | undefined): boolean {
  return isModelCall(type) && detail?.charge?.units === undefined && detail?.input_only === undefined;
}

/** Everything that is known of an entry; parts that were not recorded are left out. */
function LogSheetBody({ log, story }: { log: Log; story: LogStory | undefined }) {
  const { t } = useTranslation("logs");
  const detail = readLogDetail(log);
  const isCall = isModelCall(log.type);
  return (
    <>
      <div className={classes.badges}>
        {isCall ? <LogResultBadge log={log} /> : <LogTypeBadge log={log} />}
        {detail !== undefined && <RequestEndBadge log={log} end={detail.end} />}
        {canBeCurl(log) && (
          <div className={classes.actions}>
            <CopyAsCurl key={log.id} log={log} hasBodies={story?.has_bodies === true} />
            {isChat(log, detail) && <OpenInPlayground log={log} hasBodies={story?.has_bodies === true} />}
          </div>
        )}
      </div>
      <LogFacts log={log} detail={detail} />
      {detail !== undefined && <LogAttempts log={log} detail={detail} names={namesIn(story)} />}
      {isCall && (
        <LogCharge
          log={log}
          charge={detail?.charge}
          batch={detail?.batch}
          isInputOnly={detail?.input_only !== undefined}
        />
      )}
      {story?.has_bodies === true && <LogBodies key={log.id} id={log.id} />}
      <LogNotes log={log} detail={detail} />
      {detail === undefined && isCall && <p className={classes.note}>{t("sheet.noDetail")}</p>}
    </>
  );
}

function NoEntry({ error, onRetry }: { error: Error | null; onRetry(): void }) {
  const { t } = useTranslation("logs");
  const isGone = error === null || (error instanceof ApiError && error.kind === "refused");
  return isGone ? <p className={classes.note}>{t("sheet.gone")}</p> : <ListError error={error} onRetry={onRetry} />;
}

/** Leads j and k through the entries; a closed sheet leaves the keys to the list. */
function useStepKeys(isOpen: boolean, step: (by: number) => void): void {
  const keys: HotkeyItem[] = [
    ["j", () => step(1)],
    ["k", () => step(-1)],
  ];
  useHotkeys(isOpen ? keys : []);
}

interface LogSheetProps {
  openId: number | undefined;
  list: ListRows<Log>;
  isBeside: boolean;
}

/** One entry in full; j and k, or the arrows, go through the entries of the page. */
export function LogSheet({ openId, list, isBeside }: LogSheetProps) {
  const { t } = useTranslation("logs");
  const { close, stepTo } = useOpenRow();
  const typeName = useLogTypeName();
  // Keeps the entry on the sheet while that slides away.
  const [shownId, setShownId] = useState(openId);
  if (openId !== undefined && openId !== shownId) setShownId(openId);
  const index = list.rows.findIndex((log) => log.id === shownId);
  const story = useLogStory(shownId);
  const log = list.rows[index] ?? story.data;
  const isOpen = openId !== undefined && !list.isPending;
  const step = (by: number) => {
    const target = index === -1 ? undefined : list.rows[index + by];
    if (isOpen && target !== undefined) stepTo(target.id);
  };
  useStepKeys(isOpen, step);
  const title = log === undefined ? t("sheet.goneTitle") : log.model_name || typeName(log.type);
  const steps = (
    <>
      <ActionIcon
        data-tip={t("sheet.previous")}
        aria-label={t("sheet.previous")}
        disabled={index <= 0}
        onClick={() => step(-1)}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon
        data-tip={t("sheet.next")}
        aria-label={t("sheet.next")}
        disabled={index === -1 || index >= list.rows.length - 1}
        onClick={() => step(1)}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
    </>
  );
  return (
    <Sheet isBeside={isBeside} opened={isOpen} onClose={close} title={title} actions={steps}>
      {log === undefined && !story.isFetching && <NoEntry error={story.error} onRetry={() => void story.refetch()} />}
      {log === undefined && story.isFetching && <Skeleton height={160} />}
      {log !== undefined && <LogSheetBody log={log} story={story.data} />}
    </Sheet>
  );
}

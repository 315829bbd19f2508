import { Button, Progress, Text } from "@mantine/core";
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { TimeField } from "../../../components/form/time/time-field.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { errorText, useErrorText } from "../../../lib/api/error-text.ts";
import { formatInteger, formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { readMoment, today } from "../../../components/form/time/read-moment.ts";
import { toastError, toastSuccess } from "../../../lib/toasts/toasts.ts";
import classes from "./log-clearing.module.css";

const DAY_SECONDS = 86_400;
const DEFAULT_AGE_DAYS = 30;
const LOOK_EVERY_MS = 1_000;

/** Looks without a change after which the clearing counts as ended: its server was stopped. */
const MOST_IDLE_LOOKS = 60;

function lookAt(target: number) {
  return queryOptions({
    queryKey: ["logs", "clearing", target],
    queryFn: ({ signal }) => callApi("GET /api/log/clearing", { query: { target_timestamp: target }, signal }),
    meta: { quiet: true },
  });
}

/** Waits until no older entry is left. A server that is restarted meanwhile may fail to answer. */
async function waitForEnd(client: QueryClient, target: number): Promise<boolean> {
  let left = Number.POSITIVE_INFINITY;
  for (let idle = 0; idle < MOST_IDLE_LOOKS; idle += 1) {
    const look = await client.fetchQuery({ ...lookAt(target), staleTime: 0 }).catch(() => undefined);
    if (look?.entries === 0) return true;
    if (look !== undefined && look.entries < left) {
      left = look.entries;
      idle = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

function useClearLogs() {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (target: number) => {
      const { entries } = await callApi("POST /api/log/clearing", { body: { target_timestamp: target } });
      if (await waitForEnd(client, target)) return entries;
      throw new Error(t("clearing.stopped"));
    },
    meta: { quiet: true },
    onSuccess: (count) => toastSuccess(t("clearing.done", { count })),
    onError: (error) => toastError(t("clearing.failed", { message: errorText(error) })),
    onSettled: () => client.invalidateQueries({ queryKey: ["logs"] }),
  });
}

interface BeforeFieldProps {
  text: string;
  isWrong: boolean;
  /** Number of older entries; undefined until it is counted. */
  entries: number | undefined;
  onChange(text: string): void;
}

function BeforeField({ text, isWrong, entries, onChange }: BeforeFieldProps) {
  const { t } = useTranslation("settings");
  return (
    <TimeField
      label={t("clearing.before")}
      chooseLabel={t("clearing.chooseDay")}
      description={entries === undefined ? t("clearing.text") : t("clearing.count", { count: entries })}
      placeholder="YYYY-MM-DD HH:MM:SS"
      problem={isWrong ? t("clearing.noTime") : undefined}
      value={text}
      last={today()}
      onChange={onChange}
    />
  );
}

function ClearingProgress({ cleared, total }: { cleared: number; total: number }) {
  const { t, language } = useTranslation("settings");
  return (
    <div role="status" aria-label={t("clearing.title")}>
      <Text size="sm">
        {t("clearing.progress", { done: formatInteger(cleared, language), total: formatInteger(total, language) })}
      </Text>
      <Progress value={Math.min(100, (cleared / total) * 100)} size={4} aria-label={t("clearing.title")} />
    </div>
  );
}

export default function LogClearing() {
  const { t } = useTranslation("settings");
  const confirm = useConfirm();
  const [text, setText] = useState(() => formatTime(Date.now() / 1_000 - DEFAULT_AGE_DAYS * DAY_SECONDS));
  const target = readMoment(text);
  const clear = useClearLogs();
  const look = useQuery({ ...lookAt(target ?? 1), enabled: target !== undefined });
  const [total, setTotal] = useState(0);
  const problem = useErrorText(clear.error);
  const entries = look.data?.entries;
  const ask = async () => {
    if (target === undefined) return;
    const confirmation = {
      title: t("clearing.title"),
      message: t("clearing.question", { count: entries ?? 0, time: formatTime(target) }),
      confirmLabel: t("clearing.button"),
      tone: "danger",
    } as const;
    if (!(await confirm(confirmation))) return;
    setTotal(entries ?? 0);
    clear.mutate(target);
  };
  return (
    <div className={classes.clearing}>
      <div className={classes.line}>
        <BeforeField text={text} isWrong={target === undefined} entries={entries} onChange={setText} />
        <Button
          color="danger"
          variant="outline"
          disabled={target === undefined || entries === 0}
          loading={clear.isPending}
          onClick={() => void ask()}
        >
          {t("clearing.button")}
        </Button>
      </div>
      {clear.isPending && total > 0 && (
        <ClearingProgress cleared={Math.max(0, total - (entries ?? total))} total={total} />
      )}
      {clear.isError && (
        <Text size="sm" c="danger" role="alert">
          {t("clearing.failed", { message: problem })}
        </Text>
      )}
    </div>
  );
}

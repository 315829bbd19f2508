import { Button, NumberInput, Textarea, TextInput } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_LIMITS, KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelKey } from "@one-api/contract/channels/channel-keys";
import { splitKeys } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { useConfirm } from "../../components/dialogs/confirm.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { readMoment } from "../../components/form/time/read-moment.ts";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useReasonWords } from "../channels/reason-words.ts";
import { KeyBalance, KeyBalanceError } from "./key-balance.tsx";
import classes from "./keys-card.module.css";
import { keysQuery, useAddKeys, useDeleteKey, useUpdateKey } from "./page-queries.ts";

function stateOf({ status, cooldown_until: until }: ChannelKey) {
  if (status === KEY_STATUS.disabled) return { name: "disabled", tone: "neutral" } as const;
  if (status === KEY_STATUS.autoDisabled) return { name: "refused", tone: "danger" } as const;
  return until > 0 ? ({ name: "cooling", tone: "warning" } as const) : ({ name: "enabled", tone: "good" } as const);
}

function nameOf({ id, end }: ChannelKey): string {
  return end === "" ? `#${id}` : `…${end}`;
}

interface KeyProps {
  channelId: number;
  row: ChannelKey;
}

function KeyReason({ row: { reason, code, parts } }: Pick<KeyProps, "row">) {
  const reasonWords = useReasonWords();
  if (reason === "") return null;
  const { sentence, quote } = code === undefined ? { sentence: reason, quote: "" } : reasonWords({ code, message: reason, parts }); // prettier-ignore
  return <span className={classes.note}>{[sentence, quote].join(" ").trim()}</span>;
}

function KeyState({ row }: Pick<KeyProps, "row">) {
  const { t } = useTranslation("channel-page");
  const { name, tone } = stateOf(row);
  return (
    <span className={classes.state}>
      <StatusBadge tone={tone}>{t(`keys.states.${name}`)}</StatusBadge>
      <KeyReason row={row} />
      {name === "cooling" && (
        <span className={classes.note}>
          {t("until")} <TimeText time={row.cooldown_until} />
        </span>
      )}
      {row.probe_time > 0 && (
        <span className={classes.note}>
          {t("keys.probe")} <TimeText time={row.probe_time} />
        </span>
      )}
    </span>
  );
}

function KeyWeight({ channelId, row }: KeyProps) {
  const { t } = useTranslation("channel-page");
  const update = useUpdateKey(channelId);
  const [weight, setWeight] = useState<number | string>(row.weight);
  return (
    <NumberInput
      aria-label={t("keys.weightOf", { key: nameOf(row) })}
      prefix={`${t("keys.weight")} `}
      size="xs"
      allowDecimal={false}
      allowNegative={false}
      max={CHANNEL_LIMITS.weight}
      value={weight}
      onChange={setWeight}
      onBlur={() => {
        if (typeof weight === "number" && weight !== row.weight) update.mutate({ key: row.id, weight });
      }}
    />
  );
}

/** The day on which the key ends, as its provider says; empty for none that is known. */
function KeyExpiry({ channelId, row }: KeyProps) {
  const { t } = useTranslation("channel-page");
  const update = useUpdateKey(channelId);
  const stored = row.expires_at === 0 ? "" : formatDate(row.expires_at);
  const [day, setDay] = useState(stored);
  return (
    <TextInput
      className={classes.expiry}
      type="date"
      size="xs"
      aria-label={t("keys.expiresOf", { key: nameOf(row) })}
      leftSection={t("keys.expires")}
      leftSectionWidth={60}
      value={day}
      onChange={(event) => setDay(event.currentTarget.value)}
      onBlur={() => {
        if (day !== stored) update.mutate({ key: row.id, expires_at: day === "" ? 0 : (readMoment(day) ?? 0) });
      }}
    />
  );
}

function KeyActions({ channelId, row, isOnly }: KeyProps & { isOnly: boolean }) {
  const { t } = useTranslation("channel-page", "common");
  const confirm = useConfirm();
  const update = useUpdateKey(channelId);
  const remove = useDeleteKey(channelId);
  const key = nameOf(row);
  const toggle =
    row.status === KEY_STATUS.enabled
      ? ({ action: t("common:disable"), status: KEY_STATUS.disabled } as const)
      : ({ action: t("common:enable"), status: KEY_STATUS.enabled } as const);
  const ask = async () => {
    const isSure = await confirm({
      title: t("keys.removeTitle", { key }),
      message: t("keys.removeHint"),
      confirmLabel: t("common:delete"),
      tone: "danger",
    });
    if (isSure) remove.mutate(row.id, { onSuccess: () => toastSuccess(t("keys.removed", { key })) });
  };
  return (
    <span className={classes.actions}>
      <Button
        variant="default"
        size="compact-sm"
        loading={update.isPending}
        aria-label={t("keys.actionOn", { action: toggle.action, key })}
        onClick={() => update.mutate({ key: row.id, status: toggle.status })}
      >
        {toggle.action}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        disabled={isOnly}
        aria-label={t("keys.actionOn", { action: t("common:delete"), key })}
        onClick={() => void ask()}
      >
        {t("common:delete")}
      </Button>
    </span>
  );
}

function AddKeys({ channel, onAdded }: { channel: Channel; onAdded(): void }) {
  const { t } = useTranslation("channel-page");
  const [text, setText] = useState("");
  const add = useAddKeys(channel.id);
  const keys = splitKeys(channelTypeInfo(channel.type)?.key, text);
  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (keys.length > 0) add.mutate([...keys], { onSuccess: onAdded });
      }}
    >
      <Textarea
        label={t("keys.more")}
        description={t("keys.moreHint")}
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="compact-md" disabled={keys.length === 0} loading={add.isPending}>
        {keys.length === 0 ? t("keys.addNone") : t("keys.add", { count: keys.length })}
      </Button>
    </form>
  );
}

/** Keys of the channel with their states; a channel of one key gets further ones here. */
export function KeysCard({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channel-page");
  const { data, error, refetch } = useQuery(keysQuery(channel.id));
  const [isAdding, setIsAdding] = useState(false);
  // The button that adds the keys is gone with its form.
  const [wasAdded, setWasAdded] = useState(false);
  const close = () => {
    setIsAdding(false);
    setWasAdded(true);
  };
  const opener = (
    <Button variant="default" size="compact-sm" autoFocus={wasAdded} onClick={() => setIsAdding(true)}>
      {t("keys.addNone")}
    </Button>
  );
  return (
    <Card
      title={t("keys.title")}
      description={t(data === undefined || data.length > 0 ? "keys.hint" : "keys.one")}
      actions={!isAdding && opener}
    >
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("keys.title")} />}
      {data === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.keys} aria-label={t("keys.title")}>
          {data.map((row) => (
            <li key={row.id} className={classes.key}>
              <span className={classes.name}>{nameOf(row)}</span>
              <KeyState row={row} />
              <KeyBalance channel={channel} row={row} name={nameOf(row)} />
              <KeyWeight channelId={channel.id} row={row} />
              <KeyExpiry channelId={channel.id} row={row} />
              <KeyActions channelId={channel.id} row={row} isOnly={data.length === 1} />
              <KeyBalanceError channel={channel} row={row} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddKeys channel={channel} onAdded={close} />}
    </Card>
  );
}

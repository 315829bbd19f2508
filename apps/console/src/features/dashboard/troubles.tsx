import type { getTroubles } from "@one-api/contract/usage/dashboard";
import { type ReactNode, useId } from "react";
import type * as z from "zod/mini";
import { ListError } from "../../components/data-table/list-error.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger, formatNumber } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { formatBalance } from "../channels/format-balance.ts";
import { useReasonWords } from "../channels/reason-words.ts";
import { useTroubles } from "./dashboard-queries.ts";
import classes from "./troubles.module.css";

type Troubles = z.output<(typeof getTroubles)["data"]>;

type UnpricedModels = NonNullable<Troubles["unpriced_models"]>;

interface KindProps {
  title: string;
  tone: StatusTone;
  children: readonly ReactNode[];
}

function Kind({ title, tone, children }: KindProps) {
  if (children.length === 0) return null;
  return (
    <div className={classes.kind}>
      <h3 className={classes.title}>
        <StatusBadge tone={tone}>{title}</StatusBadge>
      </h3>
      <ul className={classes.list}>{children}</ul>
    </div>
  );
}

function ChannelLink({ id, name }: { id: number; name: string }) {
  return (
    <TextLink to="/channel/$id" params={{ id }} inherit>
      {name}
    </TextLink>
  );
}

function ChannelTrouble({ channel }: { channel: Troubles["channels"][number] }) {
  const { t, language } = useTranslation("dashboard");
  const reasonWords = useReasonWords();
  const { id, name, trouble, reason, code, parts, requests, errors } = channel;
  const why = code === undefined ? { sentence: reason, quote: "" } : reasonWords({ code, message: reason, parts });
  const count = (value: number) => formatInteger(value, language);
  const rate = t("troubles.errors", { errors: count(errors), requests: count(requests) });
  return (
    <li>
      <ChannelLink id={id} name={name} />{" "}
      <span className={classes.quiet}>
        {[trouble === "errors" ? "" : t(`troubles.${trouble}`), why.sentence, why.quote, errors > 0 ? rate : ""]
          .map((text) => text.replace(/[.。]$/, ""))
          .filter((text) => text !== "")
          .join(" · ")}
      </span>
    </li>
  );
}

function SleepingChannel({
  channel: { id, name, models, awake_time: time },
}: {
  channel: Troubles["sleeping"][number];
}) {
  const { t } = useTranslation("dashboard");
  return (
    <li>
      <ChannelLink id={id} name={name} />{" "}
      <span className={classes.quiet}>
        {models[0] === "*" ? t("troubles.allModels") : models.join(", ")} · {t("troubles.until")}{" "}
        <TimeText time={time} />
      </span>
    </li>
  );
}

function LowBalances({
  accounts,
  users,
}: {
  accounts: Troubles["channel_balances"];
  users: Troubles["user_balances"];
}) {
  const { t, language } = useTranslation("dashboard");
  return (
    <Kind title={t("troubles.low")} tone="warning">
      {[
        ...accounts.map(({ id, name, type = 0, balance, key }) => (
          <li key={`channel ${id} ${key?.id}`}>
            <ChannelLink id={id} name={name} />{" "}
            <span className={classes.quiet}>
              {key !== undefined && `${key.end === "" ? `#${key.id}` : `…${key.end}`} · `}
              {t("troubles.account", { amount: formatBalance(type, balance) ?? formatNumber(balance, language, 2) })}
            </span>
          </li>
        )),
        ...users.map(({ id, username, remaining }) => (
          <li key={`user ${id}`}>
            <TextLink to="/user/$id" params={{ id }} inherit>
              {username}
            </TextLink>{" "}
            <span className={classes.quiet}>
              {t("troubles.left")} <QuotaText quota={remaining} />
            </span>
          </li>
        )),
      ]}
    </Kind>
  );
}

function UnpricedModel({ model: { model, price_of: priceOf, requests } }: { model: UnpricedModels[number] }) {
  const { t } = useTranslation("dashboard");
  return (
    <li>
      {priceOf === model ? model : `${model} → ${priceOf}`}{" "}
      <span className={classes.quiet}>{t("troubles.refused", { count: requests })}</span>{" "}
      <TextLink
        inherit
        to="/setting/ratios"
        search={{ price: priceOf }}
        aria-label={t("troubles.setPriceOf", { model: priceOf })}
      >
        {t("troubles.setPrice")}
      </TextLink>
    </li>
  );
}

function NoChannels() {
  const { t } = useTranslation("dashboard");
  return (
    <>
      <StatusBadge tone="neutral">{t("troubles.noChannels")}</StatusBadge>{" "}
      <TextLink to="/channel/add">{t("troubles.addChannel")}</TextLink>
    </>
  );
}

export function TroublesCard() {
  const { t } = useTranslation("dashboard");
  const titleId = useId();
  const { data, error, refetch } = useTroubles();
  if (data === undefined) {
    if (error === null) return <div className={classes.waiting} />;
    return <ListError error={error} onRetry={() => void refetch()} />;
  }
  const { channels, sleeping, channel_balances: accounts, user_balances: users, unpriced_models: unpriced = [] } = data;
  if (channels.length + sleeping.length + accounts.length + users.length + unpriced.length === 0) {
    return (
      <p className={classes.none} data-healthy>
        {data.has_channels === false ? <NoChannels /> : <StatusBadge tone="good">{t("troubles.none")}</StatusBadge>}
      </p>
    );
  }
  return (
    <section className={classes.strip} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.heading}>
        {t("troubles.title")}
      </h2>
      <div className={classes.kinds}>
        <Kind title={t("troubles.failing")} tone="danger">
          {channels.map((channel) => (
            <ChannelTrouble key={channel.id} channel={channel} />
          ))}
        </Kind>
        <Kind title={t("troubles.sleeping")} tone="warning">
          {sleeping.map((channel) => (
            <SleepingChannel key={channel.id} channel={channel} />
          ))}
        </Kind>
        <Kind title={t("troubles.unpriced")} tone="warning">
          {unpriced.map((model) => (
            <UnpricedModel key={model.model} model={model} />
          ))}
        </Kind>
        <LowBalances accounts={accounts} users={users} />
      </div>
    </section>
  );
}

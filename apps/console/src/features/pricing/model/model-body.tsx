import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { IconFlask } from "@tabler/icons-react";
import { Facts } from "../../../components/boxes/facts.tsx";
import { Line, LineList, NoLines } from "../../../components/boxes/line-list.tsx";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useCallExamples } from "../../../components/content/call-examples.tsx";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import { ProviderName } from "../../../components/logos/provider-name.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger, formatPercent, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import type { CallKind } from "../../../lib/values/call-examples.ts";
import { Abilities } from "../pricing-columns.tsx";
import { useChannelsOf, useComingPrices, useModelWeek } from "./model-queries.ts";
import { OfferPrices } from "./offer-prices.tsx";
import classes from "./model-body.module.css";

/** Undefined for models of recordings and speech, whose calls are files. */
function kindOf({ unit_price: unitPrice, abilities, input_only: isInputOnly }: OfferedPrice): CallKind | undefined {
  if (abilities.includes("embeddings")) return "embedding";
  if (unitPrice === undefined || unitPrice.unit === "request") return isInputOnly === true ? undefined : "chat";
  return unitPrice.unit === "image" ? "image" : undefined;
}

function Actions({ offer }: { offer: OfferedPrice }) {
  const { t } = useTranslation("pricing");
  const isLoggedIn = useCurrentUser() !== undefined;
  const isAdmin = useIsAdmin();
  const { model } = offer;
  return (
    <div className={classes.actions}>
      {isLoggedIn && kindOf(offer) === "chat" && (
        <ButtonLink size="compact-sm" leftSection={<IconFlask size={14} />} to="/playground" search={{ model }}>
          {t("model.playground")}
        </ButtonLink>
      )}
      {isAdmin && (
        <ButtonLink size="compact-sm" variant="default" to="/setting/ratios" search={{ price: model }}>
          {t("model.change")}
        </ButtonLink>
      )}
    </div>
  );
}

function ModelFacts({ offer }: { offer: OfferedPrice }) {
  const { t, language } = useTranslation("pricing");
  const { context_tokens: context, max_output_tokens: longest, abilities } = offer;
  const tokens = (count: number) => t("model.tokens", { tokens: formatInteger(count, language) });
  const facts = [
    context !== null && { label: t("columns.context"), value: tokens(context), isNumber: true },
    longest !== null && { label: t("columns.longest"), value: tokens(longest), isNumber: true },
    abilities.length > 0 && {
      label: t("columns.abilities"),
      value: <Abilities abilities={abilities} />,
      isWide: true,
    },
  ];
  return <Facts facts={facts} />;
}

function Prices({ offers }: { offers: readonly OfferedPrice[] }) {
  const { t } = useTranslation("pricing");
  const isLoggedIn = useCurrentUser() !== undefined;
  const comingOf = useComingPrices(offers[0]?.model ?? "");
  const { group = "", group_ratio: ratio = 1 } = offers[0] ?? {};
  return (
    <SheetSection title={t("title")}>
      <p className={classes.note}>
        {offers[0]?.unit_price === undefined && `${t("perMillion")} · `}
        {t(isLoggedIn ? "forGroups" : "forVisitors", { groups: `${group} (×${ratio})` })}
      </p>
      {offers.map((offer) => (
        <div key={offer.types.join()} className={classes.offer}>
          {offers.length > 1 && (
            <h4 className={classes.providers}>
              {offer.types.map((type) => (
                <ProviderName key={type} type={type} />
              ))}
            </h4>
          )}
          <OfferPrices offer={offer} coming={comingOf(offer)} />
        </div>
      ))}
    </SheetSection>
  );
}

function Week({ model }: { model: string }) {
  const { t, language } = useTranslation("pricing");
  const { status_page_enabled: isPublished } = useStoredStatus();
  const week = useModelWeek(model);
  if (week === undefined) return null;
  const { availability, first_byte_p50_ms: p50, first_byte_p95_ms: p95 } = week;
  const facts = [
    {
      label: t("model.uptime"),
      value: availability === null ? t("model.noRequests") : formatPercent(availability, language, 2, "floor"),
      isNumber: true,
      isThird: true,
    },
    p50 !== null && { label: t("model.firstToken"), value: formatSeconds(p50), isNumber: true, isThird: true },
    p95 !== null && { label: t("model.firstTokenP95"), value: formatSeconds(p95), isNumber: true, isThird: true },
  ];
  return (
    <SheetSection
      title={t("model.week")}
      actions={
        isPublished && (
          <TextLink to="/status" size="sm">
            {t("model.status")}
          </TextLink>
        )
      }
    >
      <Facts facts={facts} />
    </SheetSection>
  );
}

function UseIt({ model, kind }: { model: string; kind: CallKind }) {
  const { t } = useTranslation("pricing");
  const { choice, code } = useCallExamples(model, kind);
  return (
    <SheetSection title={t("model.use")} actions={choice}>
      {code}
    </SheetSection>
  );
}

function Channels({ model }: { model: string }) {
  const { t } = useTranslation("pricing", "channels");
  const channels = useChannelsOf(model);
  if (channels === undefined) return null;
  return (
    <SheetSection title={t("model.channels")}>
      {channels.length === 0 && <NoLines>{t("model.noChannels")}</NoLines>}
      <LineList>
        {channels.map(({ id, name, type, status }) => (
          <Line
            key={id}
            name={
              <TextLink to="/channel/$id" params={{ id }} inherit>
                {name}
              </TextLink>
            }
            end={
              <span className={classes.channel}>
                <ProviderName type={type} />
                <StatusBadge tone={status === "enabled" ? "good" : "neutral"}>
                  {t(`channels:status.${status}`)}
                </StatusBadge>
              </span>
            }
          />
        ))}
      </LineList>
    </SheetSection>
  );
}

interface ModelBodyProps {
  /** Offers of one model: one for each price of it. */
  offers: readonly [OfferedPrice, ...OfferedPrice[]];
}

/** What a model costs, can do and how it is called. */
export default function ModelBody({ offers }: ModelBodyProps) {
  const { t } = useTranslation("pricing");
  const isAdmin = useIsAdmin();
  const [offer] = offers;
  const { model } = offer;
  const kind = kindOf(offer);
  const types = [...new Set(offers.flatMap((one) => one.types))];
  return (
    <>
      <div className={classes.head}>
        {types.map((type) => (
          <ProviderName key={type} type={type} />
        ))}
        {offer.is_unpriced === true && (
          <StatusBadge tone="warning" title={t("unpricedHint")}>
            {t("unpriced")}
          </StatusBadge>
        )}
        <Actions offer={offer} />
      </div>
      <ModelFacts offer={offer} />
      <Prices offers={offers} />
      <Week model={model} />
      {kind !== undefined && <UseIt model={model} kind={kind} />}
      {isAdmin && <Channels model={model} />}
    </>
  );
}

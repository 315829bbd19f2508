import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { CopyButton } from "../../components/buttons/copy-button.tsx";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { ProviderLogo } from "../../components/logos/provider-name.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { formatInteger, formatPrice } from "../../lib/format.ts";
import type { Language } from "../../lib/i18n/languages.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { formatTokenLimit } from "./format-token-limit.ts";
import { providersOf } from "./providers-of.ts";
import classes from "./pricing-page.module.css";
import { hasNoOutput, MORE_PRICES } from "./sort-prices.ts";

interface ColumnParts {
  t: Translate<"pricing">;
  language: Language;
  hasLongPrompts: boolean;
  /** The prices are those of several groups. */
  hasGroups: boolean;
}

function Money({ dollars = null }: { dollars: number | null | undefined }) {
  if (dollars === null) return <span className={classes.none}>–</span>;
  return <span className="numbers">{formatPrice(dollars)}</span>;
}

/** Input and output price of a model; a model priced by other units has one price with its unit. */
function MainPrice({ price, part, t }: { price: OfferedPrice; part: "input" | "output"; t: ColumnParts["t"] }) {
  const { unit_price: unitPrice } = price;
  if (part === "output" && hasNoOutput(price)) return <Money dollars={null} />;
  if (unitPrice === undefined) return <Money dollars={price[part]} />;
  return (
    <span className={classes.perUnit}>
      <Money dollars={unitPrice.dollars} /> {t(`units.${unitPrice.unit}`)}
    </span>
  );
}

function priceColumns({ t, language, hasLongPrompts }: ColumnParts): DataColumn<OfferedPrice>[] {
  return [
    ...(["input", "output"] as const).map((part) => ({
      id: part,
      header: t(`columns.${part}`),
      hint: t("perMillion"),
      align: "right" as const,
      card: "third" as const,
      cell: (price: OfferedPrice) => <MainPrice price={price} part={part} t={t} />,
      isSortable: true,
    })),
    ...MORE_PRICES.map((part) => ({
      id: part,
      header: t(`columns.${part}`),
      hint: t(part === "web_search" ? "perSearch" : "perMillion"),
      align: "right" as const,
      startsHidden: part !== "cached_input",
      priority: part === "cached_input" ? (2 as const) : (3 as const),
      card: "third" as const,
      cell: (price: OfferedPrice) => <Money dollars={price[part]} />,
      isEmpty: (price: OfferedPrice) => (price[part] ?? null) === null,
      isSortable: true,
    })),
    ...(hasLongPrompts ? [longPromptColumn({ t, language })] : []),
  ];
}

function longPromptColumn({ t, language }: Pick<ColumnParts, "t" | "language">): DataColumn<OfferedPrice> {
  return {
    id: "long_prompt",
    header: t("columns.long_prompt"),
    hint: t("longHint"),
    align: "right",
    priority: 3,
    cell: ({ long_prompt: long }) => (long === null ? <Money dollars={null} /> : <LongPrice {...{ long, language }} />),
    isEmpty: ({ long_prompt: long }) => long === null,
    isSortable: true,
  };
}

function LongPrice({ long, language }: { long: NonNullable<OfferedPrice["long_prompt"]>; language: Language }) {
  const { above, input, output } = long;
  return (
    <span className="numbers">
      {formatPrice(input)} / {formatPrice(output)}{" "}
      <span className={classes.none}>&gt; {formatInteger(above, language)}</span>
    </span>
  );
}

function nameColumns({ t, language }: ColumnParts): DataColumn<OfferedPrice>[] {
  return [
    {
      id: "model",
      header: t("columns.model"),
      card: "title",
      cell: ({ model, types, is_unpriced: isUnpriced }) => (
        <span className={classes.model}>
          {types.slice(0, 3).map((type) => (
            <ProviderLogo key={type} type={type} />
          ))}
          <TextLink
            className={classes.name ?? ""}
            from="/pricing"
            to="/pricing"
            search={(previous) => ({ ...previous, open: model })}
            state={{ openedFromList: true }}
            resetScroll={false}
            title={model}
            inherit
          >
            {model}
          </TextLink>
          <CopyButton text={model} label={t("copy", { model })} />
          {isUnpriced === true && (
            <StatusBadge tone="warning" title={t("unpricedHint")}>
              {t("unpriced")}
            </StatusBadge>
          )}
        </span>
      ),
      isSortable: true,
    },
    {
      id: "provider",
      header: t("columns.provider"),
      // The logo beside the model says it too.
      priority: 3,
      card: "plain",
      cell: (price) => <span className={classes.provider}>{providersOf(price, language).join(", ")}</span>,
      isSortable: true,
    },
  ];
}

export function Abilities({ abilities }: Pick<OfferedPrice, "abilities">) {
  const { t } = useTranslation("pricing");
  return (
    <span className={classes.abilities}>
      {abilities.map((ability) => (
        <span key={ability} className={classes.ability}>
          {t(`abilities.${ability}`)}
        </span>
      ))}
    </span>
  );
}

function abilityColumns({ t, hasGroups }: ColumnParts): DataColumn<OfferedPrice>[] {
  const tokens = (count: number | null) =>
    count === null ? <span className={classes.none}>–</span> : formatTokenLimit(count);
  return [
    {
      id: "context",
      header: t("columns.context"),
      hint: t("contextHint"),
      align: "right",
      card: "badge",
      priority: 2,
      cell: ({ context_tokens: count }) => (
        <span className={`${classes.context} numbers`} data-unknown={count === null}>
          {tokens(count)}
          <span className={classes.what}> {t("columns.context")}</span>
        </span>
      ),
      isSortable: true,
    },
    {
      id: "longest",
      header: t("columns.longest"),
      align: "right",
      // The sheet of a model has it.
      card: "none",
      priority: 4,
      cell: ({ max_output_tokens: count }) => <span className="numbers">{tokens(count)}</span>,
      isSortable: true,
    },
    {
      id: "abilities",
      header: t("columns.abilities"),
      priority: 2,
      card: "plain",
      cell: ({ abilities }) =>
        abilities.length === 0 ? <span className={classes.none}>–</span> : <Abilities abilities={abilities} />,
      isEmpty: ({ abilities }) => abilities.length === 0,
    },
    ...(hasGroups ? [groupColumn(t)] : []),
  ];
}

function groupColumn(t: ColumnParts["t"]): DataColumn<OfferedPrice> {
  return {
    id: "group",
    header: t("columns.group"),
    priority: 3,
    card: "third",
    startsHidden: true,
    cell: ({ group, group_ratio: ratio }) => (ratio === 1 ? group : `${group} (×${ratio})`),
    isSortable: true,
  };
}

export function pricingColumns(parts: ColumnParts): DataColumn<OfferedPrice>[] {
  return [...nameColumns(parts), ...priceColumns(parts), ...abilityColumns(parts)];
}

import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { MODEL_ABILITIES } from "@one-api/contract/prices/pricing-constants";
import { useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import {
  ChoiceFilterSelect,
  FilterSelect,
  NameFilterSelect,
} from "../../components/data-table/controls/list-selects.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatCompact, formatPrice } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { useOpenRow } from "../../lib/list/use-open-row.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { choiceOf } from "../../lib/values/read-values.ts";
import { ModelSheet } from "./model/model-sheet.tsx";
import classes from "./pricing-page.module.css";
import { pricingColumns } from "./pricing-columns.tsx";
import { usePriceList } from "./pricing-queries.ts";
import { CONTEXTS, PRICES, type PricingFilters, readPricingFilters } from "./pricing-search.ts";

const USUAL_GROUP = "default (×1)";

interface PriceListHeadProps {
  prices: readonly OfferedPrice[];
  isPending: boolean;
}

function PriceListHead({ prices, isPending }: PriceListHeadProps) {
  const { t } = useTranslation("pricing");
  const isLoggedIn = useCurrentUser() !== undefined;
  const isAdmin = useIsAdmin();
  const groups = [...new Map(prices.map(({ group, group_ratio: ratio }) => [group, `${group} (×${ratio})`])).values()];
  const whose = t(isLoggedIn ? "forGroups" : "forVisitors", { groups: groups.join(", ") || USUAL_GROUP });
  return (
    <PageHeader
      title={t("title")}
      description={
        <>
          {groups.length === 0 ? t("text") : t("textAndGroups", { text: t("text"), groups: whose })}
          {isPending && <span className={classes.room}> {whose}</span>}
        </>
      }
      secondaryActions={
        isAdmin && (
          <>
            <ButtonLink variant="default" to="/what-if">
              {t("whatIf")}
            </ButtonLink>
            <ButtonLink variant="default" to="/setting/ratios">
              {t("change")}
            </ButtonLink>
          </>
        )
      }
    />
  );
}

const NO_FILTERS = { provider: undefined, ability: undefined, context: undefined, price: undefined };

interface PriceFiltersProps {
  filters: PricingFilters;
  onChange(filters: PricingFilters): void;
}

function PriceFilters({ filters: { ability, context, price }, onChange }: PriceFiltersProps) {
  const { t, language } = useTranslation("pricing");
  return (
    <>
      <ChoiceFilterSelect
        label={t("columns.abilities")}
        data={MODEL_ABILITIES.map((value) => ({ value, label: t(`abilities.${value}`) }))}
        value={ability}
        onChange={(chosen) => onChange({ ability: choiceOf(chosen, MODEL_ABILITIES) })}
      />
      <FilterSelect
        label={t("columns.context")}
        choices={CONTEXTS.map((least) => [least, t("atLeast", { tokens: formatCompact(least, language) })])}
        value={context}
        onChange={(chosen) => onChange({ context: choiceOf(chosen, CONTEXTS) })}
      />
      <FilterSelect
        label={t("inputPrice")}
        choices={PRICES.map((most) => [most, t("atMost", { price: formatPrice(most) })])}
        value={price}
        onChange={(chosen) => onChange({ price: choiceOf(chosen, PRICES) })}
      />
    </>
  );
}

function PriceList() {
  const { t, language } = useTranslation("pricing");
  const search = useListSearch();
  const { openRow } = useOpenRow();
  const filters = readPricingFilters(useSearch({ strict: false }));
  const { list, providers, chosenName, prices } = usePriceList(search, filters, language);
  const filterCount = Object.values(filters).filter((value) => value !== undefined).length;
  const hasLongPrompts = prices.some(({ long_prompt: long }) => long !== null);
  const hasGroups = prices.some(({ group }) => group !== prices[0]?.group);
  return (
    <>
      <PriceListHead prices={prices} isPending={list.isPending} />
      <DataList
        id="pricing"
        label={t("title")}
        list={list}
        search={search}
        columns={pricingColumns({ t, language, hasLongPrompts, hasGroups })}
        rowKey={({ model, types }) => `${model} ${types.join()}`}
        rowName={({ model }) => model}
        searchPlaceholder={t("search")}
        filters={
          <>
            <NameFilterSelect
              label={t("columns.provider")}
              names={providers}
              value={chosenName}
              onChange={(chosen) => search.setFilters({ provider: chosen })}
            />
            <PriceFilters filters={filters} onChange={search.setFilters} />
          </>
        }
        filterCount={filterCount}
        isFiltered={filterCount > 0}
        onClearFilters={() => search.setFilters(NO_FILTERS)}
        onOpenRow={({ model }) => openRow(model)}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
      />
      <ModelSheet prices={prices} isPending={list.isPending} />
    </>
  );
}

export default function PricingPage() {
  const { t } = useTranslation("pricing");
  const { pricing_enabled: isOn } = useStoredStatus();
  return isOn ? <PriceList /> : <MessagePage title={t("off.title")} text={t("off.text")} />;
}

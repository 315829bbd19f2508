import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { NameFilterSelect } from "../../components/data-table/controls/list-selects.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import classes from "./pricing-page.module.css";
import { pricingColumns } from "./pricing-columns.tsx";
import { usePriceList } from "./pricing-queries.ts";
import { readPricingFilters } from "./pricing-search.ts";

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
          <ButtonLink variant="default" to="/setting" search={{ option: "ModelRatio" }}>
            {t("change")}
          </ButtonLink>
        )
      }
    />
  );
}

/** Every model that the viewer may call, and what it costs. */
function PriceList() {
  const { t, language } = useTranslation("pricing");
  const search = useListSearch();
  const { provider } = readPricingFilters(useSearch({ strict: false }));
  const { list, providers, chosenName, prices } = usePriceList(search, provider, language);
  const hasLongPrompts = prices.some(({ long_prompt: long }) => long !== null);
  return (
    <>
      <PriceListHead prices={prices} isPending={list.isPending} />
      <DataList
        id="pricing"
        label={t("title")}
        list={list}
        search={search}
        columns={pricingColumns({ t, language, hasLongPrompts })}
        rowKey={({ model, types }) => `${model} ${types.join()}`}
        rowName={({ model }) => model}
        searchPlaceholder={t("search")}
        filters={
          <NameFilterSelect
            label={t("columns.provider")}
            names={providers}
            value={chosenName}
            onChange={(chosen) => search.setFilters({ provider: chosen })}
          />
        }
        isFiltered={provider !== undefined}
        onClearFilters={() => search.setFilters({ provider: undefined })}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
      />
    </>
  );
}

/** The page of prices, unless administrators have switched it off. */
export default function PricingPage() {
  const { t } = useTranslation("pricing");
  const { pricing_enabled: isOn } = useStoredStatus();
  return isOn ? <PriceList /> : <MessagePage title={t("off.title")} text={t("off.text")} />;
}

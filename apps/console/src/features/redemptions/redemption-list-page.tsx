import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { useChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { FilterSelect } from "../../components/data-table/controls/list-selects.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { laterPart, lazyPart } from "../../lib/loading/later-part.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { ViewsButton } from "../views/views-button.tsx";
import { useRedemptionActions } from "./redemption-actions.tsx";
import { batchesOf } from "./redemption-batches.tsx";
import { redemptionColumns } from "./redemption-columns.tsx";
import { readRedemptionFilters, readRedemptionView } from "./redemption-list-search.ts";
import { createdCodes } from "./redemption-mutations.ts";
import { useRedemptions } from "./redemption-queries.ts";

const RedemptionBulkBar = laterPart(() => import("./redemption-bulk-bar.tsx"), ["bulk"]);

const CreatedCodesDialog = lazyPart(() => import("./created-codes-dialog.tsx"));

const STATUS_NAMES = ["unused", "disabled", "used"] as const;

/**
 * Copies a code. If the browser refuses, the code is shown in the search box to be copied by hand; it is not searched
 * for.
 */
function useCopyOrShow() {
  const { t } = useTranslation("redemptions");
  const copy = useCopy();
  const [refused, setRefused] = useState<{ readonly text: string }>();
  const copyOrShow = (key: string) => {
    void copy(key, t("copy.done"), t("copy.failed")).then((copied) => setRefused(copied ? undefined : { text: key }));
  };
  return { copyOrShow, refused };
}

/** Narrows the list down to the codes in a state, or to what a view says. */
function StatusFilter({
  status,
  onChange,
}: {
  status: number | undefined;
  onChange(status: number | undefined): void;
}) {
  const { t } = useTranslation("redemptions");
  return (
    <>
      <FilterSelect
        label={t("columns.status")}
        choices={STATUS_NAMES.map((name) => [REDEMPTION_STATUS[name], t(`status.${name}`)])}
        value={status}
        onChange={onChange}
      />
      <ViewsButton page="redemptions" read={readRedemptionView} />
    </>
  );
}

function FirstButton() {
  const { t } = useTranslation("redemptions");
  return (
    <ButtonLink to="/redemption/add" variant="default">
      {t("empty.action")}
    </ButtonLink>
  );
}

export default function RedemptionListPage() {
  const { t } = useTranslation("redemptions", "common");
  const search = useListSearch();
  const { status } = readRedemptionFilters(useSearch({ strict: false }));
  const list = useRedemptions(search, { status });
  const chosen = useChosenRows(list);
  const { copyOrShow, refused } = useCopyOrShow();
  const actionsOf = useRedemptionActions(copyOrShow);
  // In another order the codes of a batch do not stand together.
  const groups = search.sort === undefined ? batchesOf(list.rows) : undefined;
  const created = createdCodes.use();
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={
          <ButtonLink to="/redemption/add" aria-keyshortcuts="c">
            {t("add")}
          </ButtonLink>
        }
      />
      <DataList
        id="redemptions"
        label={t("title")}
        list={list}
        search={search}
        columns={redemptionColumns(t, groups !== undefined)}
        groups={groups}
        hiddenColumns={groups === undefined ? [] : ["batch"]}
        rowKey={(redemption) => redemption.id}
        rowName={(redemption) => redemption.name}
        rowActions={actionsOf}
        selection={chosen.selection}
        searchPlaceholder={t("search")}
        shownInSearch={refused}
        filters={<StatusFilter status={status} onChange={(wanted) => search.setFilters({ status: wanted })} />}
        isFiltered={status !== undefined}
        onClearFilters={() => search.setFilters({ status: undefined })}
        tools={<RefreshButton onRefresh={list.retry} />}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} action={<FirstButton />} />}
      />
      {created !== undefined && <CreatedCodesDialog created={created} />}
      <RedemptionBulkBar timesWanted={chosen.rows.length} instead={null} props={{ chosen }} />
    </>
  );
}

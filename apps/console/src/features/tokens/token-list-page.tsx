import { Button } from "@mantine/core";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { Token } from "@one-api/contract/token";
import { IconCopy } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { FilterSelect, OrderSelect } from "../../components/data-table/controls/list-selects.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { curlExample, exampleModel } from "../../lib/values/call-example.ts";
import { laterPart, lazyPart } from "../../lib/loading/later-part.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { type ListSearch, useListSearch } from "../../lib/list/use-list-search.ts";
import { BalanceNotice } from "../topup/balance-notice.tsx";
import { ViewsButton } from "../views/views-button.tsx";
import { useTokenActions } from "./token-actions.tsx";
import { tokenColumns } from "./token-columns.tsx";
import { useLimitUses } from "../limits/use-limit-uses.ts";
import { readTokenFilters, readTokenView } from "./token-list-search.ts";
import { createdTokens } from "./token-mutations.ts";
import { useTokens } from "./token-queries.ts";
import { shopFormat } from "./token-sharing.ts";
import type { CopyText } from "./use-copy-or-show.tsx";

const TokenBulkBar = laterPart(() => import("./token-bulk-bar.tsx"), ["bulk"]);
const CreatedTokensDialog = lazyPart(() => import("./created-tokens-dialog.tsx"));

interface CopySelectedProps {
  selected: readonly Token[];
  copy: CopyText;
}

function CopySelected({ selected, copy }: CopySelectedProps) {
  const { t } = useTranslation("tokens");
  const count = selected.length;
  if (count === 0) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconCopy size={16} />}
      title={t("copy.shop")}
      onClick={() => copy(shopFormat(selected), t("copy.shopDone", { count }))}
    >
      {t("copy.selected", { count })}
    </Button>
  );
}

function NoTokensYet() {
  const { t } = useTranslation("tokens");
  const server = useServerAddress();
  return (
    <EmptyState
      title={t("empty.title")}
      text={t("empty.text")}
      action={
        <ButtonLink to="/token/add" variant="default">
          {t("empty.action")}
        </ButtonLink>
      }
      example={
        <CodeBlock
          code={curlExample({
            address: `${server}/v1`,
            model: exampleModel([]),
            prompt: t("createdDialog.prompt"),
            key: "sk-YOUR_TOKEN",
          })}
        />
      }
    />
  );
}

/** Orders that the menu offers beside the server's own. */
const MENU_ORDERS = ["remain_quota", "used_quota"] as const;

const STATUS_NAMES = ["enabled", "disabled", "expired", "exhausted"] as const;

function TokenListSelects({ search, status }: { search: ListSearch; status: number | undefined }) {
  const { t } = useTranslation("tokens");
  return (
    <>
      <FilterSelect
        label={t("columns.status")}
        choices={STATUS_NAMES.map((name) => [TOKEN_STATUS[name], t(`status.${name}`)])}
        value={status}
        onChange={(chosen) => search.setFilters({ status: chosen })}
      />
      <OrderSelect
        search={search}
        label={t("order.label")}
        defaultLabel={t("order.default")}
        orders={MENU_ORDERS.map((columnId) => ({ columnId, label: t(`order.${columnId}`) }))}
      />
    </>
  );
}

function Head() {
  const { t } = useTranslation("tokens");
  return (
    <PageHeader
      title={t("title")}
      description={t("description")}
      primaryAction={
        <ButtonLink to="/token/add" aria-keyshortcuts="c">
          {t("add")}
        </ButtonLink>
      }
      secondaryActions={
        <ButtonLink to="/recipes" variant="default">
          {t("recipes")}
        </ButtonLink>
      }
    />
  );
}

function Created({ reload }: { reload(): void }) {
  const created = createdTokens.use();
  if (created === undefined) return null;
  const close = () => {
    createdTokens.set(undefined);
    // The first request may have come meanwhile.
    reload();
  };
  return <CreatedTokensDialog created={created} onClose={close} />;
}

export default function TokenListPage() {
  const { t } = useTranslation("tokens", "budgets", "limits", "common");
  const search = useListSearch();
  const filters = readTokenFilters(useSearch({ strict: false }));
  const list = useTokens(search, filters);
  const chosen = useChosenRows(list);
  const { actionsOf, copyOrShow, dialogs } = useTokenActions();
  const uses = useLimitUses(list.rows);
  const tools = (
    <>
      <CopySelected selected={chosen.rows} copy={copyOrShow} />
      <RefreshButton onRefresh={list.retry} />
    </>
  );
  return (
    <>
      <Head />
      <BalanceNotice />
      <DataList
        id="tokens"
        label={t("title")}
        list={list}
        search={search}
        columns={tokenColumns(t, copyOrShow, uses)}
        rowKey={(token) => token.id}
        hiddenColumns={list.rows.some(({ budget }) => budget) ? [] : ["budget"]}
        rowName={(token) => token.name}
        rowActions={actionsOf}
        selection={chosen.selection}
        searchPlaceholder={t("search")}
        filters={<TokenListSelects search={search} status={filters.status} />}
        filterCount={filters.status === undefined ? 0 : 1}
        views={<ViewsButton page="tokens" read={readTokenView} />}
        isFiltered={filters.status !== undefined}
        onClearFilters={() => search.setFilters({ status: undefined })}
        tools={tools}
        empty={<NoTokensYet />}
      />
      <TokenBulkBar timesWanted={chosen.rows.length} instead={null} props={{ chosen }} />
      <Created reload={list.retry} />
      {dialogs}
    </>
  );
}

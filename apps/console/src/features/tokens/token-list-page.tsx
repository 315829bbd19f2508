import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useListSearch } from "../../lib/use-list-search.ts";
import { useCardScreen } from "../../lib/use-narrow-screen.ts";
import { CopyByHand } from "./copy/copy-by-hand.tsx";
import { useCopyOrShow } from "./copy/use-copy-or-show.ts";
import { CopySelected } from "./list/copy-selected.tsx";
import { NoTokensYet } from "./list/no-tokens-yet.tsx";
import { OrderSelect } from "./list/order-select.tsx";
import { tokenColumns } from "./list/token-columns.tsx";
import { useTokenActions } from "./list/use-token-actions.tsx";
import { useTokens } from "./list/use-tokens.ts";
import { tokenListSearchSchema } from "./token-list-search.ts";

/** The own tokens: copy, open in a client, switch, edit. */
export default function TokenListPage() {
  const { t } = useTranslation(["tokens", "common"]);
  const search = useListSearch();
  const { order = "default" } = tokenListSearchSchema.parse(useSearch({ strict: false }));
  const list = useTokens({ page: search.page, keyword: search.keyword, order });
  const [selected, setSelected] = useState<ReadonlySet<number | string>>(new Set());
  const { copyOrShow, refused, forget } = useCopyOrShow();
  const actionsOf = useTokenActions(copyOrShow);
  const selectedTokens = list.rows.filter((token) => selected.has(token.id));
  const asCards = useCardScreen();
  const refresh = (
    <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={list.retry}>
      {t("common:refresh")}
    </Button>
  );
  const tools = (
    <>
      <CopySelected selected={selectedTokens} copy={copyOrShow} />
      {!asCards && refresh}
    </>
  );
  // A column's sort would hide the order that was just chosen.
  const setOrder = (chosen: typeof order) =>
    search.setFilters({ order: chosen === "default" ? undefined : chosen, sort: undefined });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={<ButtonLink to="/token/add">{t("add")}</ButtonLink>}
        {...(asCards ? { secondaryActions: refresh } : {})}
      />
      <DataList
        label={t("title")}
        list={list}
        search={search}
        columns={tokenColumns(t)}
        rowKey={(token) => token.id}
        rowName={(token) => token.name}
        rowActions={actionsOf}
        selection={{ selected, onChange: setSelected }}
        searchPlaceholder={t("search")}
        filters={<OrderSelect order={order} onChange={setOrder} />}
        {...(asCards && selectedTokens.length === 0 ? {} : { tools })}
        empty={<NoTokensYet />}
      />
      <CopyByHand text={refused} onClose={forget} />
    </>
  );
}

import { TextInput } from "@mantine/core";
import { PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import type { DatedPrice, PriceTable } from "@one-api/contract/prices/model-prices";
import { UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import { IconArrowBackUp, IconCalendarDollar, IconSearch, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { CardsView } from "../../../../components/data-table/cards-view.tsx";
import { EmptyState } from "../../../../components/data-table/empty-state.tsx";
import { ListPager } from "../../../../components/data-table/controls/list-pager.tsx";
import type { RowAction } from "../../../../components/data-table/rows/row-action.ts";
import { TableView } from "../../../../components/data-table/table-view.tsx";
import { Select } from "../../../../components/floating/select.tsx";
import { roundToDigits } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { choiceOf } from "../../../../lib/values/read-values.ts";
import { useStoredStatus } from "../../../../lib/state/stored-status.ts";
import { useCardScreen, useWideScreen } from "../../../../lib/browser/use-narrow-screen.ts";
import { AddName } from "./add-name.tsx";
import { listedPricesQuery } from "./listed-prices.ts";
import { modelRatioColumns } from "./model-ratio-columns.tsx";
import {
  filterRows,
  inForce,
  isOwn,
  type ModelRow,
  modelRows,
  type Ratios,
  rowOf,
  SHOWN,
  type Shown,
  withRatio,
} from "./ratio-model.ts";
import { readRatiosSearch } from "./ratios-search.ts";
import classes from "./ratios.module.css";

interface ModelRatioTableProps {
  model: Ratios;
  completion: Ratios;
  onModel(ratios: Ratios): void;
  onCompletion(ratios: Ratios): void;
  prices: PriceTable;
  onPrices(prices: PriceTable): void;
  resetAll: ReactNode;
}

/** The page of the rows that is shown; it stays within them. */
function usePages(count: number) {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState<PageSize>(PAGE_SIZES[1]);
  const pageCount = Math.max(1, Math.ceil(count / size));
  const shown = Math.min(page, pageCount);
  return { page: shown, size, pageCount, setPage, setSize, total: count };
}

interface ToolbarProps {
  keyword: string;
  onKeyword(keyword: string): void;
  shown: Shown;
  onShown(shown: Shown): void;
  resetAll: ReactNode;
}

function RatioToolbar({ keyword, onKeyword, shown, onShown, resetAll }: ToolbarProps) {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.toolbar}>
      <TextInput
        aria-label={t("ratios.search")}
        placeholder={t("ratios.search")}
        leftSection={<IconSearch size={16} />}
        value={keyword}
        onChange={(event) => onKeyword(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <Select
        aria-label={t("ratios.shown.label")}
        data={SHOWN.map((value) => ({ value, label: t(`ratios.shown.${value}`) }))}
        value={shown}
        onChange={(value) => onShown(choiceOf(value, SHOWN) ?? "served")}
      />
      {resetAll}
    </div>
  );
}

type Maps = Omit<ModelRatioTableProps, "resetAll">;

function withPrices(table: PriceTable, name: string, prices: readonly DatedPrice[]): PriceTable {
  const next = new Map(table);
  if (prices.length === 0) next.delete(name);
  else next.set(name, prices);
  return next;
}

/** Actions of a row: all its prices; remove its own ones, so that the maintained one counts. */
function useRowActions(maps: Maps, onOpen: (row: ModelRow) => void): (row: ModelRow) => RowAction[] {
  const { model, completion, prices, onModel, onCompletion, onPrices } = maps;
  const { t } = useTranslation("settings");
  return (row) => [
    {
      id: "prices",
      label: t("modelPrices.open"),
      icon: <IconCalendarDollar size={16} />,
      onSelect: () => onOpen(row),
    },
    {
      id: "reset",
      label: t(row.listedModelRatio === undefined ? "ratios.remove" : "ratios.reset"),
      icon: row.listedModelRatio === undefined ? <IconTrash size={16} /> : <IconArrowBackUp size={16} />,
      disabled: !isOwn(row),
      onSelect: () => {
        if (model.has(row.model)) onModel(withRatio(model, row.model, undefined));
        if (completion.has(row.model)) onCompletion(withRatio(completion, row.model, undefined));
        if (prices.has(row.model)) onPrices(withPrices(prices, row.model, []));
      },
    },
  ];
}

const ModelPricesDialog = lazy(() => import("../model-prices/model-prices-dialog.tsx"));

const DOLLARS_AT_RATIO_ONE = 2;

/** The price in force by ratios, as the start of prices in dollars. */
function suggestionOf(row: ModelRow): DatedPrice {
  const { input, output } = inForce(row, UNKNOWN_MODEL_RATIO);
  return {
    input: roundToDigits(input * DOLLARS_AT_RATIO_ONE, 12),
    output: roundToDigits(output * DOLLARS_AT_RATIO_ONE, 12),
  };
}

function PricesDialog({ row, maps, onClose }: { row: ModelRow; maps: Maps; onClose(): void }) {
  return (
    <Suspense>
      <ModelPricesDialog
        model={row.model}
        prices={row.prices}
        suggested={suggestionOf(row)}
        onSave={(prices) => {
          maps.onPrices(withPrices(maps.prices, row.model, prices));
          onClose();
        }}
        onClose={onClose}
      />
    </Suspense>
  );
}

/** The model whose prices are edited: at first the one that the address names. */
function useOpenedModel() {
  const { price } = readRatiosSearch(useSearch({ strict: false }));
  const [model, setModel] = useState(price);
  return { wanted: price ?? "", model, open: (row: ModelRow) => setModel(row.model), close: () => setModel(undefined) };
}

export function ModelRatioTable({ resetAll, ...maps }: ModelRatioTableProps) {
  const { model, completion, prices, onModel, onCompletion } = maps;
  const { t } = useTranslation("settings");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const listed = useQuery(listedPricesQuery).data ?? [];
  const [shown, setShown] = useState<Shown>("served");
  const opened = useOpenedModel();
  const [keyword, setKeyword] = useState(opened.wanted);
  const all = modelRows(model, completion, listed, prices);
  const rows = filterRows(all, shown, keyword);
  const pages = usePages(rows.length);
  const pageRows = rows.slice((pages.page - 1) * pages.size, pages.page * pages.size);
  const View = useCardScreen() ? CardsView : TableView;
  const columns = modelRatioColumns({
    t,
    quotaPerUnit,
    hasRatios: useWideScreen(),
    onModelRatio: (name, ratio) => onModel(withRatio(model, name, ratio)),
    onCompletionRatio: (name, ratio) => onCompletion(withRatio(completion, name, ratio)),
  });
  const actionsOf = useRowActions(maps, opened.open);
  const add = (name: string) => {
    onModel(withRatio(model, name, listed.find((price) => price.model === name)?.model_ratio ?? UNKNOWN_MODEL_RATIO));
    setShown("own");
    setKeyword(name);
  };
  return (
    <div>
      <RatioToolbar keyword={keyword} onKeyword={setKeyword} shown={shown} onShown={setShown} resetAll={resetAll} />
      <View
        label={t("fields.ModelRatio")}
        rows={pageRows}
        columns={columns}
        rowKey={(row) => row.model}
        rowName={(row) => row.model}
        rowActions={actionsOf}
        {...(rows.length === 0
          ? { placeholder: <EmptyState title={t("ratios.empty.title")} text={t("ratios.empty.text")} /> }
          : {})}
      />
      {opened.model !== undefined && <PricesDialog row={rowOf(all, opened.model)} maps={maps} onClose={opened.close} />}
      <div className={classes.below}>
        <AddName label={t("ratios.addModel")} isKnown={(name) => model.has(name)} onAdd={add} />
        {rows.length > 0 && (
          <ListPager list={{ ...pages, rows: pageRows }} onPage={pages.setPage} onSize={pages.setSize} />
        )}
      </div>
    </div>
  );
}

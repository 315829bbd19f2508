import { ActionIcon, TextInput } from "@mantine/core";
import { PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from "@tabler/icons-react";
import { memo, type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatInteger } from "../../../lib/format.ts";
import type { ListRows } from "../../../lib/list/use-list-rows.ts";
import { useSteady } from "../../../lib/use-steady.ts";
import { Select } from "../../floating/select.tsx";
import classes from "./list-pager.module.css";

interface PageInputProps {
  page: number;
  pageCount: number;
  onPage(page: number): void;
}

/** Goes to the typed page on Enter or blur; an invalid number is reverted. */
function PageInput({ page, pageCount, onPage }: PageInputProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(page));
  const go = () => {
    const typed = Number(text);
    const target = Number.isInteger(typed) && typed >= 1 ? Math.min(typed, pageCount) : page;
    setText(String(target));
    if (target !== page) onPage(target);
  };
  return (
    <TextInput
      className={classes.input ?? ""}
      size="xs"
      inputMode="numeric"
      aria-label={t("pager.input")}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={go}
      onKeyDown={(event) => event.key === "Enter" && go()}
    />
  );
}

interface PagerProps extends Pick<ListRows<unknown>, "page" | "size" | "total" | "pageCount"> {
  /** Rows on this page. */
  rowCount: number;
  onPage(page: number): void;
  onSize(size: PageSize): void;
}

function PageSteps({ page, pageCount, onPage }: Pick<PagerProps, "page" | "pageCount" | "onPage">) {
  const { t, language } = useTranslation();
  const step = (label: string, target: number | undefined, icon: ReactNode) => (
    <ActionIcon
      aria-label={label}
      title={label}
      variant="default"
      disabled={target === undefined}
      onClick={() => target !== undefined && onPage(target)}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <div className={classes.steps}>
      {step(t("pager.first"), page > 1 ? 1 : undefined, <IconChevronsLeft size={16} />)}
      {step(t("pager.previous"), page > 1 ? page - 1 : undefined, <IconChevronLeft size={16} />)}
      <span className={classes.page}>
        <PageInput key={page} page={page} pageCount={pageCount} onPage={onPage} />
        {t("pager.ofPages", { pages: formatInteger(pageCount, language) })}
      </span>
      {step(t("pager.next"), page < pageCount ? page + 1 : undefined, <IconChevronRight size={16} />)}
      {step(t("pager.last"), page < pageCount ? pageCount : undefined, <IconChevronsRight size={16} />)}
    </div>
  );
}

/** Rendered when the size changes alone: it has a list of options, which costs more than the rest of the bar. */
const SizeSelect = memo(function SizeSelect({ size, onSize }: Pick<PagerProps, "size" | "onSize">) {
  const { t } = useTranslation();
  return (
    <Select
      className={classes.size ?? ""}
      size="xs"
      aria-label={t("pager.size")}
      data={PAGE_SIZES.map((rowsPerPage) => ({
        value: String(rowsPerPage),
        label: t("pager.rowsPerPage", { rows: rowsPerPage }),
      }))}
      value={String(size)}
      onChange={(value) => {
        const chosen = PAGE_SIZES.find((known) => String(known) === value);
        if (chosen !== undefined && chosen !== size) onSize(chosen);
      }}
    />
  );
});

const Pager = memo(function Pager({ page, size, total, pageCount, rowCount, onPage, onSize }: PagerProps) {
  const { t, language } = useTranslation();
  const amount = (value: number) => formatInteger(value, language);
  const first = (page - 1) * size + 1;
  // A list that fits onto the smallest page looks the same on every other.
  const [smallest] = PAGE_SIZES;
  return (
    <nav className={classes.pager} aria-label={t("pager.label")} data-over-toasts>
      <span className={classes.count} aria-live="polite">
        {t("pager.range", { first: amount(first), last: amount(first + rowCount - 1), total: amount(total) })}
      </span>
      {total > smallest && <SizeSelect size={size} onSize={onSize} />}
      {(pageCount !== 1 || page > 1) && <PageSteps page={page} pageCount={pageCount} onPage={onPage} />}
    </nav>
  );
});

interface ListPagerProps extends Pick<PagerProps, "onPage" | "onSize"> {
  list: Pick<ListRows<unknown>, "page" | "size" | "total" | "pageCount" | "rows">;
}

/** Stays as it is while rows are opened, chosen or loaded again. */
export function ListPager({ list: { page, size, total, pageCount, rows }, onPage, onSize }: ListPagerProps) {
  return (
    <Pager
      {...{ page, size, total, pageCount }}
      rowCount={rows.length}
      onPage={useSteady(onPage)}
      onSize={useSteady(onSize)}
    />
  );
}

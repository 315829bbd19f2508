import { ActionIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatInteger } from "../../lib/format.ts";
import classes from "./list-pager.module.css";

interface ListPagerProps {
  /** From 1. */
  page: number;
  /** How many pages there are; undefined when the server does not say. */
  pageCount: number | undefined;
  /** How many rows there are; undefined when the server does not say. */
  total: number | undefined;
  hasNext: boolean;
  onPage(page: number): void;
  /** Something to say beside, such as that the sort covers only the loaded rows. */
  note?: ReactNode;
}

/** Moves through a list page by page. */
export function ListPager({ page, pageCount, total, hasNext, onPage, note }: ListPagerProps) {
  const { t, i18n } = useTranslation();
  return (
    <nav className={classes.pager} aria-label={t("pager.label")}>
      <div className={classes.count}>
        {total !== undefined && (
          <span>{t("pager.rows", { count: total, amount: formatInteger(total, i18n.language) })}</span>
        )}
        {note}
      </div>
      <div className={classes.steps}>
        <ActionIcon
          aria-label={t("pager.previous")}
          variant="default"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <span className={classes.page} aria-live="polite">
          {pageCount === undefined ? t("pager.page", { page }) : t("pager.pageOf", { page, pages: pageCount })}
        </span>
        <ActionIcon aria-label={t("pager.next")} variant="default" disabled={!hasNext} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
    </nav>
  );
}

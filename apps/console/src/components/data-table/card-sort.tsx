import { Button, Menu } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Sort } from "../../lib/list-search.ts";
import { useCardScreen } from "../../lib/use-narrow-screen.ts";
import type { DataColumn } from "./data-column.ts";

interface CardSortProps<Row> {
  columns: readonly DataColumn<Row>[];
  sort: Sort | undefined;
  onSort(columnId: string): void;
}

/** Cards have no heads to press: this menu sorts them. */
export function CardSort<Row>({ columns, sort, onSort }: CardSortProps<Row>) {
  const { t } = useTranslation();
  const asCards = useCardScreen();
  const sortable = columns.filter((column) => column.sortBy !== undefined);
  if (!asCards || sortable.length === 0) return null;
  const arrow = sort?.descending === true ? <IconArrowDown size={16} /> : <IconArrowUp size={16} />;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconArrowsSort size={16} />}>
          {columns.find((column) => column.id === sort?.columnId)?.header ?? t("sort")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sortable.map((column) => (
          <Menu.Item
            key={column.id}
            rightSection={column.id === sort?.columnId ? arrow : null}
            onClick={() => onSort(column.id)}
          >
            {column.header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Select } from "@mantine/core";
import { IconArrowsSort } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { TOKEN_ORDERS, type TokenListOrder } from "../token-list-search.ts";
import classes from "./order-select.module.css";

interface OrderSelectProps {
  order: TokenListOrder;
  onChange(order: TokenListOrder): void;
}

/** Chooses how the server orders the list. */
export function OrderSelect({ order, onChange }: OrderSelectProps) {
  const { t } = useTranslation("tokens");
  return (
    <Select
      aria-label={t("order.label")}
      className={classes.select ?? ""}
      leftSection={<IconArrowsSort size={16} />}
      data={TOKEN_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
      value={order}
      onChange={(value) => onChange(TOKEN_ORDERS.find((known) => known === value) ?? "default")}
    />
  );
}

import type { ListSearch } from "../../../lib/list/use-list-search.ts";
import { Select } from "../../floating/select.tsx";
import classes from "./list-selects.module.css";

interface OrderSelectProps {
  search: ListSearch;
  label: string;
  defaultLabel: string;
  orders: readonly { readonly columnId: string; readonly label: string }[];
}

const DEFAULT_ORDER = "default";

export function OrderSelect({ search, label, defaultLabel, orders }: OrderSelectProps) {
  const { sort } = search;
  const known = orders.find(({ columnId }) => columnId === sort?.columnId)?.columnId ?? null;
  return (
    <Select
      aria-label={label}
      placeholder={label}
      className={classes.order ?? ""}
      data={[
        { value: DEFAULT_ORDER, label: defaultLabel },
        ...orders.map((order) => ({ value: order.columnId, label: order.label })),
      ]}
      value={sort === undefined ? DEFAULT_ORDER : known}
      onChange={(value) =>
        search.setSort(value === null || value === DEFAULT_ORDER ? undefined : { columnId: value, descending: true })
      }
    />
  );
}

interface FilterSelectProps {
  label: string;
  choices: readonly (readonly [value: number, label: string])[];
  /** Undefined while everything is shown. */
  value: number | undefined;
  onChange(value: number | undefined): void;
}

export function FilterSelect({ label, choices, value, onChange }: FilterSelectProps) {
  return (
    <ChoiceFilterSelect
      label={label}
      data={choices.map(([number, name]) => ({ value: String(number), label: name }))}
      value={value?.toString()}
      onChange={(chosen) => onChange(chosen === undefined ? undefined : Number(chosen))}
    />
  );
}

interface NameFilterSelectProps extends Omit<ChoiceFilterSelectProps, "data"> {
  names: readonly string[];
}

export function NameFilterSelect({ names, value, ...rest }: NameFilterSelectProps) {
  const data = [...new Set([...names, ...(value === undefined ? [] : [value])])];
  return <ChoiceFilterSelect {...rest} data={data} value={value} />;
}

interface ChoiceFilterSelectProps {
  label: string;
  data: readonly (string | { readonly value: string; readonly label: string })[];
  value: string | undefined;
  onChange(value: string | undefined): void;
}

export function ChoiceFilterSelect({ label, data, value, onChange }: ChoiceFilterSelectProps) {
  return (
    <Select
      clearable
      aria-label={label}
      placeholder={label}
      className={classes.filter ?? ""}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

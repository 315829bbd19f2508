import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Select } from "../../components/floating/select.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsIdle } from "../../lib/loading/when-idle.ts";
import { useAuditObjects } from "./audit-tools-queries.ts";
import { useObjectWords } from "./audit-words.tsx";
import classes from "./audit.module.css";

const SEARCH_PAUSE_MS = 200;

interface ObjectFilterProps {
  /** Such as `token:12`. */
  object: string | undefined;
  onChange(object: string | undefined): void;
}

/** A filter by one object, chosen by its name. */
export function ObjectFilter({ object, onChange }: ObjectFilterProps) {
  const { t } = useTranslation("audit");
  const objectWords = useObjectWords();
  const [text, setText] = useState("");
  const isIdle = useIsIdle();
  const labelOf = (one: string, known: string) => {
    const { name, kind } = objectWords(one, known);
    return name === "" ? kind : `${name} · ${kind}`;
  };
  const chosen = useAuditObjects(object ?? "", isIdle).data?.find((one) => one.object === object);
  const label = object === undefined ? "" : labelOf(object, chosen?.name ?? "");
  const [keyword] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS);
  // The field shows the chosen name, which is no search.
  const { data: found = [] } = useAuditObjects(keyword === label.trim() ? "" : keyword, isIdle);
  const choices = found
    .filter((one) => one.object !== object)
    .map((one) => ({ value: one.object, label: labelOf(one.object, one.name) }));
  return (
    <Select
      clearable
      searchable
      className={classes.objects ?? ""}
      aria-label={t("filters.object")}
      placeholder={t("filters.object")}
      limit={30}
      listWidth={320}
      data={[...(object === undefined ? [] : [{ value: object, label }]), ...choices]}
      value={object ?? null}
      onSearch={setText}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

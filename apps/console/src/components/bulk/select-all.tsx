import { Button } from "@mantine/core";
import { useState } from "react";
import { showError } from "../../lib/api/show-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Largest number of rows that can be chosen at once. */
const MOST = 10_000;

interface SelectAllProps {
  selected: number;
  total: number;
  onSelect(): Promise<void>;
}

/** Chooses the rows of all pages; nothing where they are chosen, or too many. */
export function SelectAll({ selected, total, onSelect }: SelectAllProps) {
  const { t } = useTranslation("bulk");
  const [isLoading, setLoading] = useState(false);
  if (total <= selected || total > MOST) return null;
  const select = async () => {
    setLoading(true);
    try {
      await onSelect();
    } catch (error) {
      showError(error);
    }
    setLoading(false);
  };
  return (
    <Button variant="subtle" size="compact-sm" loading={isLoading} onClick={() => void select()}>
      {t("selectAll", { count: total })}
    </Button>
  );
}

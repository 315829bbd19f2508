import { Button } from "@mantine/core";
import type { Token } from "@one-api/contract/token";
import { IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { shopFormat } from "../copy/shop-format.ts";
import type { CopyText } from "./use-copy-actions.tsx";

interface CopySelectedProps {
  selected: readonly Token[];
  copy: CopyText;
}

/** Copies the chosen rows; stands there only while rows are chosen. */
export function CopySelected({ selected, copy }: CopySelectedProps) {
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

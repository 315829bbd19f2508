import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { useState } from "react";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useOpenName, useOpenRow } from "../../../lib/list/use-open-row.ts";
import { laterPart } from "../../../lib/loading/later-part.ts";

const ModelBody = laterPart(() => import("./model-body.tsx"), ["home", "channels"]);

interface ModelSheetProps {
  prices: readonly OfferedPrice[];
  isPending: boolean;
}

/** One model with every price of it; its name is in the address. */
export function ModelSheet({ prices, isPending }: ModelSheetProps) {
  const { t } = useTranslation("pricing");
  const { close } = useOpenRow();
  const name = useOpenName();
  // Keeps the model on the sheet while that slides away.
  const [shown = "", setShown] = useState(name);
  if (name !== undefined && name !== shown) setShown(name);
  const [first, ...others] = prices.filter(({ model }) => model === shown);
  return (
    <Sheet
      opened={name !== undefined && !isPending}
      onClose={close}
      title={shown}
      actions={<CopyButton text={shown} label={t("copy", { model: shown })} />}
    >
      {first === undefined ? (
        <p>{t("model.gone")}</p>
      ) : (
        <ModelBody timesWanted={1} instead={<LoadingPlaceholder />} props={{ offers: [first, ...others] }} />
      )}
    </Sheet>
  );
}

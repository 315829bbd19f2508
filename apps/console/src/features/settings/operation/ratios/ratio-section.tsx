import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import { Card } from "../../../../components/boxes/card.tsx";
import { ButtonLink } from "../../../../components/buttons/button-link.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { LastChange } from "../../form/last-change.tsx";
import type { SavedOptions } from "../../options/option-draft.ts";
import { RatioForm } from "./ratio-form.tsx";

import { RatioJson } from "./ratio-json.tsx";

export function RatioSection({ saved }: { saved: SavedOptions }) {
  const { t } = useTranslation("settings");
  return (
    <Card
      title={t("sections.ratio.title")}
      description={t("sections.ratio.text")}
      actions={<ButtonLink to="/setting/ratios">{t("ratios.open")}</ButtonLink>}
    >
      <RatioForm saved={saved} View={RatioJson} />
      <LastChange keys={PRICE_KEYS} labelOf={(key) => t(`fields.${key}`)} />
    </Card>
  );
}

import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import { useQuery } from "@tanstack/react-query";
import { useLeaveQuestion } from "../../../../components/form/use-leave-question.ts";
import { LoadingPlaceholder } from "../../../../components/loading-placeholder.tsx";
import { PageHeader } from "../../../../components/page-header.tsx";
import { TextLink } from "../../../../components/text-link.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { hasUnsavedWork } from "../../../../lib/state/unsaved-work.ts";
import { LastChange } from "../../form/last-change.tsx";
import { WithSavedOptions } from "../../form/with-saved-options.tsx";
import { ComingPrices } from "../model-prices/coming-prices.tsx";
import { listedPricesQuery } from "./listed-prices.ts";
import { RatioForm } from "./ratio-form.tsx";
import { RatioTables } from "./ratio-tables.tsx";

const SECTION = { tab: "operation", section: "ratio" } as const;

export default function RatiosPage() {
  const { t } = useTranslation("settings");
  useLeaveQuestion(hasUnsavedWork);
  const listed = useQuery(listedPricesQuery);
  return (
    <>
      <PageHeader
        title={t("ratios.title")}
        description={t("ratios.text")}
        back={
          <TextLink to="/setting" search={SECTION}>
            {t("ratios.toSettings")}
          </TextLink>
        }
      />
      {/* Rows of the list between own prices would move the page. */}
      {listed.isPending ? (
        <LoadingPlaceholder prompt={t("prompt")} />
      ) : (
        <WithSavedOptions>
          {(saved) => (
            <>
              <ComingPrices />
              <RatioForm saved={saved} View={RatioTables} />
              <LastChange keys={PRICE_KEYS} labelOf={(key) => t(`fields.${key}`)} />
            </>
          )}
        </WithSavedOptions>
      )}
    </>
  );
}

import { Button } from "@mantine/core";
import { useState } from "react";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { PeriodChoice, WhatIfForm } from "./what-if-form.tsx";
import { isEmptyChange, isUnfinished, NO_CHANGE, whatIfInput, type WhatIfValues } from "./what-if-model.ts";
import { useForeseeChange } from "./what-if-queries.ts";
import { WhatIfResults } from "./what-if-results.tsx";
import classes from "./what-if.module.css";

export default function WhatIfPage() {
  const { t } = useTranslation("what-if");
  const [values, setValues] = useState(NO_CHANGE);
  const [estimated, setEstimated] = useState<WhatIfValues>();
  const estimate = useForeseeChange();
  const change = (patch: Partial<WhatIfValues>) => setValues((known) => ({ ...known, ...patch }));
  const run = () => {
    setEstimated(values);
    estimate.mutate(whatIfInput(values));
  };
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={
          <Button onClick={run} loading={estimate.isPending} disabled={isEmptyChange(values) || isUnfinished(values)}>
            {t("estimate")}
          </Button>
        }
        secondaryActions={<PeriodChoice values={values} change={change} />}
      />
      <div className={classes.page}>
        <ErrorAlert error={estimate.error} />
        {estimate.data === undefined ? (
          <p className={classes.note}>{t("empty")}</p>
        ) : (
          <WhatIfResults result={estimate.data} isOutdated={estimated !== values} />
        )}
        <WhatIfForm values={values} change={change} />
      </div>
    </>
  );
}

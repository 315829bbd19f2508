import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { StickyBar } from "../../components/form/sticky-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useWidestScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { EstimateList } from "./estimate-list.tsx";
import { type Estimate, useEstimates } from "./estimates.ts";
import { PresentPeriod } from "./present-period.tsx";
import { PeriodChoice, WhatIfForm } from "./what-if-form.tsx";
import { isEmptyChange, isUnfinished, NO_CHANGE, type SectionProps, whatIfInput } from "./what-if-model.ts";
import { useForeseeChange } from "./what-if-queries.ts";
import { WhatIfResults } from "./what-if-results.tsx";
import classes from "./what-if.module.css";

function useEstimating() {
  const { estimates, keep } = useEstimates();
  const last = estimates.at(-1);
  const [values, setValues] = useState(last?.values ?? NO_CHANGE);
  const [shownNumber, setShownNumber] = useState(last?.number);
  const { mutate, isPending, error } = useForeseeChange();
  return {
    values,
    change: (patch: Parameters<SectionProps["change"]>[0]) => setValues((known) => ({ ...known, ...patch })),
    estimates,
    shown: estimates.find(({ number }) => number === shownNumber),
    run: () => mutate(whatIfInput(values), { onSuccess: (result) => setShownNumber(keep(values, result)) }),
    restore(estimate: Estimate) {
      setValues(estimate.values);
      setShownNumber(estimate.number);
    },
    isPending,
    error,
  };
}

type Estimating = ReturnType<typeof useEstimating>;

function EstimateBar({ values, shown, run, isPending, error }: Estimating) {
  const { t } = useTranslation("what-if");
  const isOutdated = shown !== undefined && shown.values !== values;
  return (
    <StickyBar lead={<ErrorAlert error={error} />} state={isOutdated && t("outdated")}>
      <Button onClick={run} loading={isPending} disabled={isEmptyChange(values) || isUnfinished(values)}>
        {t("estimate")}
      </Button>
    </StickyBar>
  );
}

/** The result of the shown estimate, and the estimates of the visit. */
function Effect({ estimating, isBeside }: { estimating: Estimating; isBeside: boolean }) {
  const { shown, estimates, values, restore } = estimating;
  const box = useRef<HTMLDivElement>(null);
  const result = shown?.result;
  const known = useRef(result);
  useEffect(() => {
    if (known.current !== result && !isBeside) box.current?.scrollIntoView({ block: "start" });
    known.current = result;
  }, [result, isBeside]);
  if (shown === undefined) return <PresentPeriod days={values.days} />;
  return (
    <div ref={box} className={classes.effect}>
      <WhatIfResults result={shown.result} days={Number(shown.values.days)} isOutdated={shown.values !== values}>
        <EstimateList estimates={estimates} shown={shown} onRestore={restore} />
      </WhatIfResults>
    </div>
  );
}

export default function WhatIfPage() {
  const { t } = useTranslation("what-if");
  const estimating = useEstimating();
  const isBeside = useWidestScreen();
  const parts = [
    <div key="change">
      <WhatIfForm values={estimating.values} change={estimating.change} />
      <EstimateBar {...estimating} />
    </div>,
    <Effect key="effect" estimating={estimating} isBeside={isBeside} />,
  ];
  return (
    <>
      <PageHeader
        back={<TextLink to="/pricing">{t("prices")}</TextLink>}
        title={t("title")}
        description={t("description")}
        secondaryActions={<PeriodChoice values={estimating.values} change={estimating.change} />}
      />
      <div className={classes.page}>{isBeside ? parts : parts.toReversed()}</div>
    </>
  );
}

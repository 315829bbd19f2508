import type { Channel } from "@one-api/contract/channels/channel";
import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { AsideSection } from "../../../../components/form/parts/aside-section.tsx";
import { RelativeTime } from "../../../../components/relative-time.tsx";
import { formatSeconds } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useFailureTexts } from "../../last-test.tsx";
import { assembleKey, type ChannelFormState } from "../channel-form-model.ts";
import type { FetchedModels } from "../use-fetched-models.ts";
import { StepList, type StepOfTest } from "./step-list.tsx";

export type SavePhase = "saving" | "testing";

export interface TestStepsProps {
  form: ChannelFormState;
  stored: Channel | undefined;
  fetched: FetchedModels;
  phase: SavePhase | undefined;
}

function useKeyStep({ form, stored, fetched }: TestStepsProps): StepOfTest {
  const { t } = useTranslation("channel-form");
  const isTyped = assembleKey(form.values) !== "";
  const step = (name: "todo" | "running" | "done" | "failed" | "stored", state: StepOfTest["state"], count = 0) => ({
    name: "key",
    state,
    title: t(`steps.key.${name}`),
    note: name === "done" ? t("steps.key.doneNote", { count }) : t(`steps.key.${name}Note`),
  });
  if (fetched.isPending) return step("running", "running");
  if (fetched.hasFailed) return step("failed", "failed");
  if (fetched.listed !== undefined) return step("done", "done", fetched.listed.length);
  if (stored === undefined || isTyped) return step("todo", "todo");
  const failure = stored.last_test?.failure;
  return step("stored", failure === "" ? "done" : failure === "bad-credential" ? "failed" : "todo");
}

function useRequestStep({ form, stored, phase }: TestStepsProps): StepOfTest {
  const { t } = useTranslation("channel-form");
  const failureOf = useFailureTexts();
  const { test_model: chosen, models, isBatch, isKeyList } = form.values;
  const model = chosen.trim() || models[0];
  const title = model === undefined ? t("steps.request.title") : t("steps.request.titleOf", { model });
  const price = t(isBatch && !isKeyList ? "steps.request.eachNote" : "steps.request.note");
  if (phase === "testing") return { name: "request", state: "running", title, note: price };
  const test = stored?.last_test;
  if (stored === undefined || test === undefined || test.model !== model)
    return { name: "request", state: "todo", title, note: price };
  const when = <RelativeTime time={stored.test_time} />;
  const hasFailed = test.failure !== "";
  const said = hasFailed ? failureOf(test).name : formatSeconds(stored.response_time);
  const note = (
    <>
      {when} · {said}
    </>
  );
  return { name: "request", state: hasFailed && test.failure !== "bad-answer" ? "failed" : "done", title, note };
}

/** The steps of "Save and test", with the results so far. */
export function TestSteps(props: TestStepsProps) {
  const { form, stored, phase } = props;
  const { t, language } = useTranslation("channel-form");
  const { type, group, isReserve } = form.values;
  const failure = stored?.last_test?.failure;
  const label = channelTypeLabel(type, language) ?? "";
  const saved: StepOfTest = {
    name: "save",
    state: phase === "saving" ? "running" : phase === "testing" ? "done" : "todo",
    title: t("steps.save.title"),
    note: isReserve ? t("steps.save.reserve") : t("steps.save.note", { groups: group.join(", ") }),
  };
  const format: StepOfTest = {
    name: "format",
    state: failure === "" ? "done" : failure === "bad-answer" ? "failed" : "todo",
    title: t("steps.format.title", { type: label }),
    note: t("steps.format.note"),
  };
  const steps = [useKeyStep(props), ...(stored === undefined ? [saved] : []), useRequestStep(props), format];
  return (
    <AsideSection title={t("steps.title")}>
      <StepList steps={steps} />
    </AsideSection>
  );
}

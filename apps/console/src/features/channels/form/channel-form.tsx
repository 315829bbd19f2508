import { useForm } from "@mantine/form";
import type { Channel } from "@one-api/contract/channels/channel";
import { useQuery } from "@tanstack/react-query";
import { useAsideScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formPart } from "../../../components/form/parts/form-part.tsx";
import { FormPage } from "../../../components/form/form-page.tsx";
import { FoldedSections, FormSection } from "../../../components/form/form-section.tsx";
import { modelsOfTypesQuery } from "../channel-queries.ts";
import { FailedTestNotice } from "../last-test.tsx";
import { FormAside } from "./aside/form-aside.tsx";
import { AccessFields } from "./access-fields.tsx";
import { type ChannelValues, formFieldOf, newChannelValues, storedChannelValues } from "./channel-form-model.ts";
import { useChannelProblems, useChannelSummary } from "./channel-form-problems.ts";
import { DeadlinesSection } from "./deadlines-section.tsx";
import { DialectsSection } from "./dialects-section.tsx";
import { ExtraSection } from "./extra-section.tsx";
import { GeneralFields } from "./general-fields.tsx";
import { MappingSection } from "./mapping-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { OverridesSection } from "./overrides/overrides-section.tsx";
import { RoutingSection } from "./routing-section.tsx";
import { useFetchedModels } from "./use-fetched-models.ts";
import { useSaveChannel } from "./use-save-channel.ts";
import { useSuggestedName } from "./use-suggested-name.ts";

const NO_MODELS: string[] = [];

const General = formPart(GeneralFields);
const Access = formPart(AccessFields);
const Models = formPart(ModelsSection);
const Mapping = formPart(MappingSection);
const Routing = formPart(RoutingSection);
const Dialects = formPart(DialectsSection);
const Overrides = formPart(OverridesSection);
const Deadlines = formPart(DeadlinesSection);
const Extra = formPart(ExtraSection);

export function ChannelForm({ channel }: { channel?: Channel }) {
  const { t } = useTranslation("channels", "channel-form");
  const isNew = channel === undefined;
  const form = useForm<ChannelValues>({
    initialValues: isNew ? newChannelValues() : storedChannelValues(channel),
    validateInputOnBlur: true,
    validate: useChannelProblems(channel),
  });
  const related = useQuery(modelsOfTypesQuery).data?.[String(form.values.type)] ?? NO_MODELS;
  const fetched = useFetchedModels(form, channel, related);
  useSuggestedName(form, isNew);
  const { save, saveAndTest, onSaved, phase } = useSaveChannel(form, channel);
  const hasAside = useAsideScreen();
  return (
    <FormPage
      title={isNew ? t("addTitle") : t("editTitle")}
      {...(isNew ? { saveLabel: t("create") } : {})}
      subject={channel?.name}
      backPath="/channel"
      backLabel={t("title")}
      form={form}
      save={save}
      extraSubmit={{ label: t("saveAndTest"), save: saveAndTest, isPrimary: isNew }}
      onSaved={onSaved}
      summarise={useChannelSummary()}
      fieldOf={(field) => formFieldOf(form.values.type, field)}
      aside={<FormAside isBeside={hasAside} form={form} stored={channel} fetched={fetched} phase={phase} />}
      notice={channel !== undefined && <FailedTestNotice channel={channel} />}
    >
      <FormSection title={t("channel-form:form.general")} onFieldLeft={fetched.fetchWhenReady}>
        <General form={form} />
        <Access form={form} stored={channel} />
      </FormSection>
      <Models form={form} stored={channel} related={related} fetched={fetched} />
      <FoldedSections>
        <Mapping form={form} />
        <Routing form={form} channelId={channel?.id ?? 0} />
        <Dialects form={form} />
        <Overrides form={form} />
        <Deadlines form={form} />
        <Extra form={form} stored={channel} />
      </FoldedSections>
    </FormPage>
  );
}

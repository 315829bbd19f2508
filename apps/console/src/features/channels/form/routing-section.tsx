import { NumberInput } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formPart } from "../../../components/form/parts/form-part.tsx";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { ChoiceListInput } from "../../../components/form/list-inputs.tsx";
import { groupsQuery } from "../channel-queries.ts";
import { SharePreview } from "../shares/share-preview.tsx";
import { type ChannelFormState, hasOwn } from "./channel-form-model.ts";

const numberOr0 = (value: number | string) => (typeof value === "number" ? Math.trunc(value) : 0);

interface RoutingSectionProps {
  form: ChannelFormState;
  channelId: number;
}

/** The typed name alone, so that typing it renders no preview. */
const OwnName = formPart(function OwnName({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-shares");
  return form.values.name.trim() || t("thisChannel");
});

const Shares = formPart(function Shares({ form, channelId }: RoutingSectionProps) {
  const { models, group, priority, weight } = form.values;
  return (
    <SharePreview
      channelId={channelId}
      name={<OwnName form={form} />}
      models={models}
      groups={group}
      priority={numberOr0(priority)}
      weight={Math.max(0, numberOr0(weight))}
    />
  );
});

export function RoutingSection({ form, channelId }: RoutingSectionProps) {
  const { t } = useTranslation("channel-form");
  const groups = useQuery(groupsQuery);
  const { group } = form.values;
  // Groups that are set but no longer known stay choosable.
  const known = [...new Set(["default", ...(groups.data ?? []), ...group])];
  return (
    <FoldedSection
      title={t("form.routing")}
      description={t("form.routingHint")}
      summary={t("summaries.routing")}
      opensItself={hasOwn(form, "group", "priority", "weight")}
    >
      <FormWide>
        <ChoiceListInput
          label={t("form.group")}
          description={t("form.groupHint")}
          data={known}
          {...form.getInputProps("group")}
        />
      </FormWide>
      <NumberInput
        label={t("form.priority")}
        description={t("form.priorityHint")}
        allowDecimal={false}
        min={CHANNEL_LIMITS.lowestPriority}
        max={CHANNEL_LIMITS.priority}
        {...form.getInputProps("priority")}
      />
      <NumberInput
        label={t("form.weight")}
        description={t("form.weightHint")}
        allowDecimal={false}
        allowNegative={false}
        max={CHANNEL_LIMITS.weight}
        {...form.getInputProps("weight")}
      />
      <FormWide>
        <Shares form={form} channelId={channelId} />
      </FormWide>
    </FoldedSection>
  );
}

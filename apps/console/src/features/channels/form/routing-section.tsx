import { NumberInput } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { useQuery } from "@tanstack/react-query";
import { useAsideScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { ChoiceListInput } from "../../../components/form/list-inputs.tsx";
import { groupsQuery } from "../channel-queries.ts";
import { RequestShare } from "./aside/request-share.tsx";
import { type ChannelFormState, hasOwn } from "./channel-form-model.ts";

interface RoutingSectionProps {
  form: ChannelFormState;
  channelId: number;
}

export function RoutingSection({ form, channelId }: RoutingSectionProps) {
  const { t } = useTranslation("channel-form");
  const groups = useQuery(groupsQuery);
  const hasAside = useAsideScreen();
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
      {!hasAside && (
        <FormWide>
          <RequestShare form={form} channelId={channelId} />
        </FormWide>
      )}
    </FoldedSection>
  );
}

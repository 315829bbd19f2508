import { NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ChoiceListInput } from "../../../components/form/list-inputs.tsx";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { groupsQuery } from "../channel-queries.ts";
import type { ChannelFormState } from "./channel-form-model.ts";

/** Who may use the channel, and how requests are shared among channels. */
export function RoutingSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channels");
  const groups = useQuery(groupsQuery);
  // Groups that are set but no longer known stay choosable.
  const known = [...new Set(["default", ...(groups.data ?? []), ...form.values.group])];
  return (
    <FormSection title={t("form.routing")} description={t("form.routingHint")}>
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
        min={-1_000_000}
        max={1_000_000}
        {...form.getInputProps("priority")}
      />
      <NumberInput
        label={t("form.weight")}
        description={t("form.weightHint")}
        allowDecimal={false}
        min={0}
        max={1_000_000}
        {...form.getInputProps("weight")}
      />
    </FormSection>
  );
}

import { useForm } from "@mantine/form";
import type { Channel } from "@one-api/contract/channel";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FormPage } from "../../../components/form/form-page.tsx";
import { toastSuccess } from "../../../lib/toasts.ts";
import { useCreateChannel, useUpdateChannel } from "../channel-mutations.ts";
import { AccessSection } from "./access-section.tsx";
import {
  type ChannelValues,
  createChannelPayload,
  countKeys,
  newChannelValues,
  storedChannelValues,
  updateChannelPayload,
} from "./channel-form-model.ts";
import { useChannelProblems } from "./channel-form-problems.ts";
import { ExtraSection } from "./extra-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { RoutingSection } from "./routing-section.tsx";

/** The form of a new channel or, with `channel`, of a stored one. */
export function ChannelForm({ channel }: { channel?: Channel }) {
  const { t } = useTranslation(["channels", "common"]);
  const navigate = useNavigate();
  const create = useCreateChannel();
  const update = useUpdateChannel();
  const isNew = channel === undefined;
  const form = useForm<ChannelValues>({
    initialValues: isNew ? newChannelValues() : storedChannelValues(channel),
    validateInputOnBlur: true,
    validate: useChannelProblems(channel),
  });
  const save = (values: ChannelValues) =>
    channel === undefined
      ? create.mutateAsync(createChannelPayload(values))
      : update.mutateAsync(updateChannelPayload(values, channel));
  const onSaved = () => {
    const count = form.values.isBatch ? countKeys(form.values) : 1;
    toastSuccess(isNew ? t("created", { count }) : t("saved"));
    void navigate({ to: "/channel" });
  };
  return (
    <FormPage
      title={isNew ? t("addTitle") : t("editTitle")}
      backPath="/channel"
      form={form}
      save={save}
      onSaved={onSaved}
    >
      <GeneralSection form={form} isNew={isNew} />
      <AccessSection form={form} isNew={isNew} />
      <ModelsSection form={form} />
      <RoutingSection form={form} />
      <ExtraSection form={form} />
    </FormPage>
  );
}

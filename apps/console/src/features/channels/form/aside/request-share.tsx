import { useQuery } from "@tanstack/react-query";
import { formPart } from "../../../../components/form/parts/form-part.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { allModelsQuery } from "../../channel-queries.ts";
import { SharePreview } from "../../shares/share-preview.tsx";
import type { ChannelFormState } from "../channel-form-model.ts";

const numberOr0 = (value: number | string) => (typeof value === "number" ? Math.trunc(value) : 0);

interface RequestShareProps {
  form: ChannelFormState;
  /** 0 for a channel that is not stored yet. */
  channelId: number;
  isAside?: boolean;
}

/** The typed name alone, so that typing it renders no preview. */
const OwnName = formPart(function OwnName({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-shares");
  return form.values.name.trim() || t("thisChannel");
});

/** The channel's share of a model's requests as it is typed, first of a model that others serve too. */
export const RequestShare = formPart(function RequestShare({ form, channelId, isAside = false }: RequestShareProps) {
  const { data: all = [] } = useQuery(allModelsQuery);
  const { models, group, priority, weight } = form.values;
  const ownChannels = channelId === 0 ? 0 : 1;
  const shared = new Set(all.flatMap(({ id, channels }) => (channels > ownChannels ? [id] : [])));
  return (
    <SharePreview
      channelId={channelId}
      name={<OwnName form={form} />}
      models={models}
      groups={group}
      priority={numberOr0(priority)}
      weight={Math.max(0, numberOr0(weight))}
      firstModel={models.find((model) => shared.has(model))}
      isAside={isAside}
      onRaise={(rank) => form.setValues(rank)}
    />
  );
});

import { Alert, Text } from "@mantine/core";
import type { ChannelEffect } from "@one-api/contract/channels/channel-effect";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelsOffQuery } from "../channel-queries.ts";

function useModelNames(): (effect: ChannelEffect) => string {
  const { t, language } = useTranslation("channel-effect");
  return ({ lost, models }) => {
    const names = models.map(({ model, groups, is_partly: isPartly }) =>
      isPartly ? t("inGroups", { model, groups: groups.join(", ") }) : model,
    );
    const rest = lost - models.length;
    const all = rest > 0 ? [...names, t("more", { count: rest })] : names;
    return new Intl.ListFormat(language, { type: "conjunction" }).format(all);
  };
}

/** Counts what would stop working without the channels. Empty if the server cannot tell. */
export default function ChannelsOffEffect({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation("channel-effect");
  const namesOf = useModelNames();
  const { data: effect, isPending } = useQuery(channelsOffQuery(ids));
  if (isPending)
    return (
      <Text size="sm" c="dimmed" mt="md">
        {t("checking")}
      </Text>
    );
  if (effect === undefined) return null;
  if (effect.lost === 0)
    return (
      <Text size="sm" mt="md">
        {t("none")}
      </Text>
    );
  const lost = t("lost", { count: effect.lost });
  return (
    <Alert color="danger" mt="md" role="status">
      <Text size="sm" fw={500}>
        {effect.users === null ? t("only", { lost }) : t("and", { lost, users: t("users", { count: effect.users }) })}
      </Text>
      <Text size="sm">{namesOf(effect)}</Text>
    </Alert>
  );
}

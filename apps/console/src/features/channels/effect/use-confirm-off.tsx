import { useQueryClient } from "@tanstack/react-query";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { loadTexts } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelsOffQuery } from "../channel-queries.ts";

export const ChannelsOffEffect = lazyPart(() => import("./channels-off-effect.tsx"), ["channel-effect"]);

/**
 * Returns a question before channels are disabled. It asks only if users of the last 24 hours would lose models, and
 * resolves to false if the answer is no.
 */
export function useConfirmOff(): (channels: { ids: readonly number[]; name?: string }) => Promise<boolean> {
  const { t } = useTranslation("channel-effect", "common");
  const client = useQueryClient();
  const confirm = useConfirm();
  return async ({ ids, name }) => {
    // Disabling can be undone: an effect that is unknown does not hold it up.
    const effect = await client.fetchQuery(channelsOffQuery(ids)).catch(() => undefined);
    if (effect === undefined || effect.lost === 0 || !effect.users) return true;
    await loadTexts(["channel-effect"]);
    return confirm({
      title: name === undefined ? t("disable.title", { count: ids.length }) : t("disable.titleOf", { name }),
      message: t("disable.message"),
      details: <ChannelsOffEffect ids={ids} />,
      confirmLabel: t("common:disable"),
      tone: "danger",
    });
  };
}

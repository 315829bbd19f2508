import { useEffect, useEffectEvent } from "react";
import { useConfirm } from "../../components/dialogs/confirm.tsx";
import { showError } from "../../lib/api/show-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastWarning } from "../../lib/toasts/toasts.ts";
import { useReadLogBodies } from "../logs/log-queries.ts";
import { hasConversation, replaceConversation } from "./chat/playground-store.ts";
import { readReplay } from "./chat/read-replay.ts";
import { usePlaygroundSearch } from "./use-playground.ts";

/** Loads the logged request of the address, if the reader agrees to replace the conversation. */
export function useReplay(): void {
  const { t } = useTranslation("playground");
  const confirm = useConfirm();
  const { search, change } = usePlaygroundSearch();
  const { replay: id } = search;
  const take = useEffectEvent(async (request: string) => {
    const replay = readReplay(request);
    if (replay === undefined) toastWarning(t("replay.unreadable"));
    else if (
      !hasConversation() ||
      (await confirm({ title: t("replay.title"), message: t("replay.text"), confirmLabel: t("replay.take") }))
    ) {
      replaceConversation(replay.conversation);
      return change({ ...replay.search, token: search.token, replay: undefined });
    }
    change({ replay: undefined });
  });
  const giveUp = useEffectEvent((error: unknown) => {
    showError(error);
    change({ replay: undefined });
  });
  const readBodies = useReadLogBodies();
  const read = useEffectEvent(readBodies);
  useEffect(() => {
    if (id === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    read(id, signal).then(
      ({ request }) => signal.aborted || void take(request),
      (error: unknown) => signal.aborted || giveUp(error),
    );
    return () => controller.abort();
  }, [id]);
}

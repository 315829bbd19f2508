import { Button, Textarea } from "@mantine/core";
import { TOKEN_DEFAULTS } from "@one-api/contract/token-constants";
import { IconSend } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { TOKENS_KEY } from "../../tokens/token-queries.ts";
import { draftStore, sendsDraftStore } from "../chat/playground-store.ts";
import { PLAYGROUND_TOKENS_KEY } from "../playground-queries.ts";
import { sendsBy } from "./composer.tsx";
import classes from "./composer.module.css";

/** Creates a token with the defaults of the form, for the question that is in the draft. */
function useCreateFirstToken() {
  const { t } = useTranslation("playground");
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const { validSeconds, ...limits } = TOKEN_DEFAULTS;
      const expired_time = Math.floor(Date.now() / 1_000) + validSeconds;
      return callApi("POST /api/token/", { body: { name: t("title"), expired_time, ...limits } });
    },
    onSuccess: async () => {
      sendsDraftStore.set(true);
      await Promise.all([
        client.invalidateQueries({ queryKey: TOKENS_KEY }),
        client.invalidateQueries({ queryKey: PLAYGROUND_TOKENS_KEY }),
      ]);
    },
  });
}

/** Asks without a token: sending creates one, and the question is billed to it. */
export function FirstQuestion() {
  const { t } = useTranslation("playground");
  const draft = draftStore.use();
  const { mutate: create, isPending } = useCreateFirstToken();
  const canSend = draft.text.trim() !== "" && !isPending;
  return (
    <>
      <EmptyState title={t("noToken.title")} text={t("noToken.text", { name: t("title") })} />
      <div className={classes.composer}>
        <Textarea
          aria-label={t("composer.label")}
          placeholder={t("composer.placeholder")}
          autosize
          autoFocus
          minRows={2}
          maxRows={10}
          variant="unstyled"
          value={draft.text}
          onChange={(event) => draftStore.set({ ...draft, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (!sendsBy(event)) return;
            event.preventDefault();
            if (canSend) create();
          }}
        />
        <div className={classes.foot}>
          <span className={classes.hint}>{t("composer.hint")}</span>
          <Button leftSection={<IconSend size={16} />} disabled={!canSend} loading={isPending} onClick={() => create()}>
            {t("noToken.send")}
          </Button>
        </div>
      </div>
    </>
  );
}

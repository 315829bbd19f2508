import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Card } from "../../../components/boxes/card.tsx";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import settings from "../settings-page.module.css";
import { accessTokenQuery } from "./factor-queries.ts";
import classes from "./security.module.css";

/** State of the access token; creating and revoking ask first if one exists. */
function useAccessToken() {
  const { t } = useTranslation("settings");
  const confirm = useConfirm();
  const { data: state } = useQuery(accessTokenQuery);
  const copy = useCopy();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: accessTokenQuery.queryKey });
  const create = useMutation({
    mutationFn: () => callApi("GET /api/user/token"),
    onSuccess: (token) => {
      refresh();
      return copy(token, t("token.copied"));
    },
  });
  const revoke = useMutation({
    mutationFn: () => callApi("DELETE /api/user/token"),
    onSuccess: () => {
      create.reset();
      refresh();
      toastSuccess(t("token.revoked"));
    },
  });
  const askToRevoke = async () => {
    const question = {
      title: t("token.revokeTitle"),
      message: t("token.revokeText"),
      confirmLabel: t("token.revoke"),
      tone: "danger",
    } as const;
    if (await confirm(question)) revoke.mutate();
  };
  const createAnew = async () => {
    const question = {
      title: t("token.replaceTitle"),
      message: t("token.replaceText"),
      confirmLabel: t("token.replace"),
      tone: "danger",
    } as const;
    if (state?.is_set !== true || (await confirm(question))) create.mutate();
  };
  return { state, create, revoke, createAnew, askToRevoke };
}

/** Scrolls a value that is shown once into view, without moving the focused control out of it. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** Creates, shows and copies the system access token, shows its last use, and revokes it. */
export function AccessTokenCard() {
  const { t } = useTranslation("settings");
  const { state, create, revoke, createAnew, askToRevoke } = useAccessToken();
  return (
    <Card
      title={t("token.title")}
      description={t("token.text")}
      actions={
        <span className={classes.actions}>
          {state?.is_set === true && (
            <Button variant="light" color="danger" loading={revoke.isPending} onClick={() => void askToRevoke()}>
              {t("token.revoke")}
            </Button>
          )}
          <Button variant="default" loading={create.isPending} onClick={() => void createAnew()}>
            {t("token.create")}
          </Button>
        </span>
      }
    >
      {create.data !== undefined && (
        <TextInput
          ref={takeFocus}
          className={settings.shown ?? ""}
          label={t("token.shown")}
          description={t("token.once")}
          value={create.data}
          readOnly
          rightSection={<CopyButton text={create.data} />}
        />
      )}
      {state?.is_set === true && (
        <p className={classes.used}>
          {t("token.created")} <TimeText time={state.created_at} dateOnly /> · {t("token.lastUsed")}{" "}
          <RelativeTime time={state.last_used_at} never={t("token.never")} />
        </p>
      )}
    </Card>
  );
}

import { consoleAddress } from "../../../lib/base-path.ts";
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../../components/boxes/card.tsx";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { forgetServerState } from "../../../lib/api/query-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { clearUser, useCurrentUser } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { AccessTokenCard } from "../security/access-token-card.tsx";
import { SecuritySettings } from "../security/security-settings.tsx";
import classes from "../settings-page.module.css";
import { Bindings } from "./bindings.tsx";

function InviteCard() {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const invite = useMutation({
    mutationFn: async () => `${consoleAddress()}/register?aff=${await callApi("GET /api/user/aff")}`,
    onSuccess: (link) => copy(link, t("invite.copied")),
  });
  return (
    <Card title={t("invite.title")} description={t("invite.text")}>
      <div className={classes.line}>
        {invite.data !== undefined && <span className={classes.text}>{invite.data}</span>}
        <Button variant="default" loading={invite.isPending} onClick={() => invite.mutate()}>
          {t("invite.copy")}
        </Button>
      </div>
    </Card>
  );
}

function DeleteCard() {
  const { t } = useTranslation("settings");
  const confirm = useConfirm();
  const navigate = useNavigate();
  const client = useQueryClient();
  const username = useCurrentUser()?.username ?? "";
  const remove = useMutation({
    mutationFn: () => callApi("DELETE /api/user/self"),
    onSuccess: async () => {
      toastSuccess(t("delete.done"));
      clearUser();
      await navigate({ to: "/login" });
      forgetServerState(client);
    },
  });
  const ask = async () => {
    const confirmation = {
      title: t("delete.title"),
      message: t("delete.message", { name: username }),
      confirmLabel: t("delete.button"),
      tone: "danger",
      typedText: username,
    } as const;
    if (await confirm(confirmation)) remove.mutate();
  };
  return (
    <Card title={t("delete.title")} description={t("delete.text")}>
      <Button color="danger" variant="light" loading={remove.isPending} onClick={() => void ask()}>
        {t("delete.button")}
      </Button>
    </Card>
  );
}

export function PersonalSettings({ section }: { section: string }) {
  const { t } = useTranslation("settings");
  if (section === "security") return <SecuritySettings />;
  return (
    <div className={classes.sections}>
      <Card title={t("profile.title")} description={t("profile.text")}>
        <ButtonLink to="/user/edit" variant="default">
          {t("profile.edit")}
        </ButtonLink>
      </Card>
      <Bindings />
      <InviteCard />
      <AccessTokenCard />
      <DeleteCard />
    </div>
  );
}

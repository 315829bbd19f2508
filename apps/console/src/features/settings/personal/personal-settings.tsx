import { consoleAddress } from "../../../lib/base-path.ts";
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../../components/boxes/card.tsx";
import { Facts } from "../../../components/boxes/facts.tsx";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { forgetServerState } from "../../../lib/api/query-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { clearUser, useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useSelf } from "../../profile/self-queries.ts";
import { AccessTokenCard } from "../security/access-token-card.tsx";
import { SecuritySettings } from "../security/security-settings.tsx";
import classes from "../settings-page.module.css";
import { Bindings } from "./bindings.tsx";

/** Who is logged in: names, and the groups that decide models and prices. */
function ProfileCard() {
  const { t } = useTranslation("settings");
  const { data: self } = useSelf();
  const user = useCurrentUser();
  const edit = (
    <ButtonLink to="/user/edit" variant="default">
      {t("profile.edit")}
    </ButtonLink>
  );
  return (
    <Card title={t("profile.title")} actions={edit}>
      <Facts
        layout="row"
        facts={[
          { label: t("profile.username"), value: user?.username ?? "" },
          { label: t("profile.displayName"), value: user?.display_name || "–" },
          { label: t("profile.groups"), value: self === undefined ? "" : self.group || "default" },
        ]}
      />
    </Card>
  );
}

function InviteCard() {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const invite = useMutation({
    mutationFn: async () => `${consoleAddress()}/register?aff=${await callApi("GET /api/user/aff")}`,
    onSuccess: (link) => copy(link, t("invite.copied")),
  });
  return (
    <Card
      title={t("invite.title")}
      description={t("invite.text")}
      actions={
        <Button variant="default" loading={invite.isPending} onClick={() => invite.mutate()}>
          {t("invite.copy")}
        </Button>
      }
    >
      {invite.data !== undefined && <span className={classes.text}>{invite.data}</span>}
    </Card>
  );
}

function ManagementKeysCard() {
  const { t } = useTranslation("settings");
  const open = (
    <ButtonLink to="/management-keys" variant="default">
      {t("managementKeys.open")}
    </ButtonLink>
  );
  return <Card title={t("managementKeys.title")} description={t("managementKeys.text")} actions={open} />;
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
    <Card
      title={t("delete.title")}
      description={t("delete.text")}
      actions={
        <Button color="danger" variant="light" loading={remove.isPending} onClick={() => void ask()}>
          {t("delete.button")}
        </Button>
      }
    />
  );
}

export function PersonalSettings({ section }: { section: string }) {
  const isAdmin = useIsAdmin();
  if (section === "security") return <SecuritySettings />;
  return (
    <div className={classes.sections}>
      <ProfileCard />
      <Bindings />
      <InviteCard />
      <AccessTokenCard />
      {isAdmin && <ManagementKeysCard />}
      <DeleteCard />
    </div>
  );
}

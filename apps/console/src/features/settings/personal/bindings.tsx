import { Button, Group } from "@mantine/core";
import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { beginOAuth, type RedirectProvider } from "../../oauth/begin-oauth.ts";
import { WeChatDialog } from "../../oauth/wechat-dialog.tsx";
import { useSelf } from "../../profile/self-queries.ts";
import classes from "../settings-page.module.css";
import { BindEmailDialog } from "./bind-email-dialog.tsx";

/** Unbinds after a confirmation; the server refuses to remove the last sign-in method. */
function useUnbind(): (binding: Binding, name: string) => Promise<void> {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  const confirm = useConfirm();
  const remove = useMutation({
    mutationFn: (binding: Binding) => callApi("DELETE /api/user/self/binding/:binding", { params: { binding } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["users"] }),
  });
  return async (binding, name) => {
    const confirmation = {
      title: t("bindings.unbindName", { name }),
      message: t(binding === "email" ? "bindings.unbindEmailMessage" : "bindings.unbindMessage", { name }),
      confirmLabel: t("bindings.unbind"),
      tone: "danger",
    } as const;
    if (!(await confirm(confirmation))) return;
    remove.mutate(binding, { onSuccess: () => toastSuccess(t("bindings.unbound", { name })) });
  };
}

interface BindingLineProps {
  name: string;
  bound: string;
  /** Bound while the provider had another address: it leads nowhere now. */
  isOutdated: boolean;
  /** Undefined while its login is off. */
  onBind: (() => void) | undefined;
  onUnbind(): void;
}

function BindingLine({ name, bound, isOutdated, onBind, onUnbind }: BindingLineProps) {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.line}>
      <span className={classes.text}>
        <div>{name}</div>
        <div className={classes.secondary}>{bound || t("bindings.none")}</div>
        {isOutdated && <div>{t("bindings.outdated")}</div>}
      </span>
      <Group gap="xs">
        {bound !== "" && (
          <Button variant="subtle" color="danger" onClick={onUnbind} aria-label={t("bindings.unbindName", { name })}>
            {t("bindings.unbind")}
          </Button>
        )}
        {onBind !== undefined && (
          <Button
            variant="default"
            onClick={onBind}
            aria-label={t(bound === "" ? "bindings.bindName" : "bindings.changeName", { name })}
          >
            {t(bound === "" ? "bindings.bind" : "bindings.change")}
          </Button>
        )}
      </Group>
    </div>
  );
}

export function Bindings() {
  const { t } = useTranslation("settings", "registration");
  const status = useStoredStatus();
  const { data: self } = useSelf();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"email" | "wechat">();
  const drop = useUnbind();
  const close = () => setDialog(undefined);
  const onBound = () => {
    close();
    toastSuccess(t("registration:bound"));
    void client.invalidateQueries({ queryKey: ["users"] });
  };
  const begin = (way: RedirectProvider) => void beginOAuth(way, { status, invitation: "" });
  const ways = [
    { id: "email", name: t("registration:email"), isOn: true, onBind: () => setDialog("email") },
    { id: "wechat", name: t("registration:wechat"), isOn: status.wechat_login, onBind: () => setDialog("wechat") },
    { id: "github", name: "GitHub", isOn: status.github_oauth, onBind: () => begin("github") },
    { id: "lark", name: t("registration:lark"), isOn: status.lark_client_id !== "", onBind: () => begin("lark") },
    { id: "oidc", name: status.oidc_label, isOn: status.oidc_login, onBind: () => begin("oidc") },
  ] as const;
  // Bindings can be removed while their login is off.
  const shown = ways
    .map((way) => ({ ...way, bound: self?.[BINDING_FIELDS[way.id]] ?? "" }))
    .filter(({ isOn, bound }) => isOn || bound !== "");
  return (
    <Card title={t("bindings.title")} description={t("bindings.text")}>
      {shown.map(({ id, name, bound, isOn, onBind }) => (
        <BindingLine
          key={id}
          name={name}
          bound={bound}
          isOutdated={self?.outdated_bindings.includes(id) === true}
          onBind={isOn ? onBind : undefined}
          onUnbind={() => void drop(id, name)}
        />
      ))}
      {dialog === "email" && <BindEmailDialog onDone={onBound} onClose={close} />}
      {dialog === "wechat" && (
        <WeChatDialog
          title={t("bindings.bindName", { name: t("registration:wechat") })}
          submitLabel={t("bindings.bind")}
          send={(code) => callApi("GET /api/oauth/wechat/bind", { query: { code } })}
          onDone={onBound}
          onClose={close}
        />
      )}
    </Card>
  );
}

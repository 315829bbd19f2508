import { Button } from "@mantine/core";
import { bindWeChat } from "@one-api/contract/oauth";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { beginOAuth, type RedirectingWay } from "../../oauth/begin-oauth.ts";
import { WeChatDialog } from "../../oauth/wechat-dialog.tsx";
import { useSelf } from "../../profile/self-queries.ts";
import classes from "../settings-page.module.css";
import { BindEmailDialog } from "./bind-email-dialog.tsx";

/** The accounts elsewhere and the address that belong to the own account. */
export function Bindings() {
  const { t } = useTranslation("settings", "registration");
  const status = useStoredStatus();
  const { data: self } = useSelf();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"email" | "wechat">();
  const close = () => setDialog(undefined);
  const onBound = () => {
    close();
    toastSuccess(t("registration:bound"));
    void client.invalidateQueries({ queryKey: ["users"] });
  };
  const begin = (way: RedirectingWay) => void beginOAuth(way, { status, invitation: "" });
  const ways = [
    { name: t("registration:email"), bound: self?.email, isOn: true, onBind: () => setDialog("email") },
    { name: "WeChat", bound: self?.wechat_id, isOn: status.wechat_login, onBind: () => setDialog("wechat") },
    { name: "GitHub", bound: self?.github_id, isOn: status.github_oauth, onBind: () => begin("github") },
    { name: "Lark", bound: self?.lark_id, isOn: status.lark_client_id !== "", onBind: () => begin("lark") },
    { name: status.oidc_label, bound: self?.oidc_id, isOn: status.oidc_login, onBind: () => begin("oidc") },
  ].filter(({ isOn }) => isOn);
  return (
    <Card title={t("bindings.title")} description={t("bindings.text")}>
      {ways.map(({ name, bound = "", onBind }) => (
        <div key={name} className={classes.line}>
          <span className={classes.text}>
            <div>{name}</div>
            <div className={classes.secondary}>{bound || t("bindings.none")}</div>
          </span>
          <Button variant="default" onClick={onBind} aria-label={t("bindings.bindName", { name })}>
            {t(bound === "" ? "bindings.bind" : "bindings.change")}
          </Button>
        </div>
      ))}
      {dialog === "email" && <BindEmailDialog onDone={onBound} onClose={close} />}
      {dialog === "wechat" && (
        <WeChatDialog
          title={t("bindings.bindName", { name: "WeChat" })}
          submitLabel={t("bindings.bind")}
          send={(code) => callApi(bindWeChat, { query: { code } })}
          onDone={onBound}
          onClose={close}
        />
      )}
    </Card>
  );
}

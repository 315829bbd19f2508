import { useNavigate } from "@tanstack/react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useKeepLogin } from "../../lib/use-keep-login.ts";
import { WeChatDialog } from "./wechat-dialog.tsx";

export default function WeChatLogin({ invitation, onClose }: { invitation: string; onClose(): void }) {
  const { t } = useTranslation("registration");
  const navigate = useNavigate();
  const keepLogin = useKeepLogin();
  return (
    <WeChatDialog
      title={t("wechatLogin")}
      submitLabel={t("login")}
      send={(code) => callApi("GET /api/oauth/wechat", { query: { code, invitation } })}
      onDone={(user) => {
        keepLogin(user);
        toastSuccess(t("loggedIn"));
        void navigate({ to: "/" });
      }}
      onClose={onClose}
    />
  );
}

import { ActionIcon, Button, Divider, Group } from "@mantine/core";
import { IconBrandGithub, IconBrandWechat, IconFeather, IconShieldLock } from "@tabler/icons-react";
import { useState } from "react";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import type { RedirectProvider } from "./begin-oauth.ts";

const loadBeginOAuth = () => loadChunk(() => import("./begin-oauth.ts"));
const WeChatLogin = lazyPart(async () => {
  await loadTexts(["registration"]);
  return import("./wechat-login.tsx");
});

export default function OtherLoginButtons({ invitation }: { invitation: string }) {
  const { t } = useTranslation("login");
  const status = useStoredStatus();
  const [wechat, setWeChat] = useState(false);
  const begin = (way: RedirectProvider) =>
    void loadBeginOAuth().then(({ beginOAuth }) => beginOAuth(way, { status, invitation }));
  const ways = [
    { name: "GitHub", enabled: status.github_oauth, icon: IconBrandGithub, onClick: () => begin("github") },
    { name: t("wechat"), enabled: status.wechat_login, icon: IconBrandWechat, onClick: () => setWeChat(true) },
    { name: t("lark"), enabled: status.lark_client_id !== "", icon: IconFeather, onClick: () => begin("lark") },
  ].filter((way) => way.enabled);
  return (
    <>
      <Divider label={t("or")} my="md" />
      {status.oidc_login && (
        <Button
          variant="default"
          fullWidth
          mb="md"
          leftSection={<IconShieldLock size={18} aria-hidden="true" />}
          onClick={() => begin("oidc")}
        >
          {t("with", { name: status.oidc_label })}
        </Button>
      )}
      <Group justify="center" gap="sm">
        {ways.map(({ name, icon: WayIcon, onClick }) => {
          const label = t("with", { name });
          return (
            <ActionIcon
              key={name}
              variant="default"
              size={44}
              radius="xl"
              aria-label={label}
              title={label}
              onClick={onClick}
            >
              <WayIcon size={20} />
            </ActionIcon>
          );
        })}
      </Group>
      {wechat && <WeChatLogin invitation={invitation} onClose={() => setWeChat(false)} />}
    </>
  );
}

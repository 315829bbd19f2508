import { ActionIcon, Divider, Group } from "@mantine/core";
import type { OAuthProvider } from "@one-api/contract/oauth";
import { IconBrandGithub, IconBrandWechat, IconFeather } from "@tabler/icons-react";
import { useState } from "react";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/later-part.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";

const loadBeginOAuth = () => loadChunk(() => import("./begin-oauth.ts"));
const WeChatLogin = lazyPart(async () => {
  await loadTexts(["registration"]);
  return import("./wechat-login.tsx");
});

/** Round buttons for the ways to log in that this system has switched on; each signs up too, where that is open. */
export function OtherLogins() {
  const { t } = useTranslation("login");
  const status = useStoredStatus();
  const [wechat, setWeChat] = useState(false);
  const begin = (provider: OAuthProvider) =>
    void loadBeginOAuth().then(({ beginOAuth }) => beginOAuth(provider, status));
  const ways = [
    { name: "GitHub", enabled: status.github_oauth, icon: IconBrandGithub, onClick: () => begin("github") },
    { name: "WeChat", enabled: status.wechat_login, icon: IconBrandWechat, onClick: () => setWeChat(true) },
    { name: "Lark", enabled: status.lark_client_id !== "", icon: IconFeather, onClick: () => begin("lark") },
  ].filter((way) => way.enabled);
  if (ways.length === 0) return null;
  return (
    <>
      <Divider label={t("or")} my="md" />
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
      {wechat && <WeChatLogin onClose={() => setWeChat(false)} />}
    </>
  );
}

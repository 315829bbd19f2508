import { ActionIcon, Divider, Group } from "@mantine/core";
import { IconBrandGithub, IconBrandWechat, IconFeather } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { toastInfo } from "../../lib/toasts.ts";

/** Round buttons for the ways to log in that this system has switched on. */
export function OtherLogins() {
  const { t } = useTranslation(["login", "shell"]);
  const status = useStoredStatus();
  const ways = [
    { name: "GitHub", enabled: status.github_oauth, icon: IconBrandGithub },
    { name: "WeChat", enabled: status.wechat_login, icon: IconBrandWechat },
    { name: "Lark", enabled: status.lark_client_id !== "", icon: IconFeather },
  ].filter((way) => way.enabled);
  if (ways.length === 0) return null;
  return (
    <>
      <Divider label={t("login:or")} my="md" />
      <Group justify="center" gap="sm">
        {ways.map(({ name, icon: WayIcon }) => {
          const label = t("login:with", { name });
          return (
            <ActionIcon
              key={name}
              variant="default"
              size={44}
              radius="xl"
              aria-label={label}
              title={label}
              onClick={() => toastInfo(t("shell:unavailable.title"))}
            >
              <WayIcon size={20} />
            </ActionIcon>
          );
        })}
      </Group>
    </>
  );
}

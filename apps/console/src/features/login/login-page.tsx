import { ActionIcon, Alert, Button, Divider, Group } from "@mantine/core";
import { IconBrandGithub, IconBrandWechat, IconClockExclamation, IconFeather } from "@tabler/icons-react";
import type { OAuthProvider } from "@one-api/contract/oauth";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TextLink } from "../../components/text-link.tsx";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { lazyPart } from "../../lib/later-part.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { EntryPage } from "./entry-page.tsx";
import { LoginFields, useEnterConsole, useLoginForm } from "./login-form.tsx";
import { useLogIn } from "./session-mutations.ts";

const loadBeginOAuth = () => loadChunk(() => import("../oauth/begin-oauth.ts"));
const WeChatLogin = lazyPart(async () => {
  await loadTexts(["registration"]);
  return import("../oauth/wechat-login.tsx");
});

/** Round buttons for the ways to log in that this system has switched on. */
function OtherLogins() {
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

const route = getRouteApi("/login");

/** The login. */
export default function LoginPage() {
  const { t } = useTranslation("login");
  const { from, expired } = route.useSearch();
  const { system_name: system, register_enabled: canRegister } = useStoredStatus();
  const logIn = useLogIn();
  const form = useLoginForm({ logIn, onLoggedIn: useEnterConsole(from) });
  const problem = useErrorText(logIn.error);
  const links = (
    <>
      <TextLink to="/reset">{t("forgot")}</TextLink>
      {canRegister && <TextLink to="/register">{t("register")}</TextLink>}
    </>
  );
  return (
    <EntryPage title={t("title")} heading={t("heading", { system })} links={links}>
      {expired === true && (
        <Alert color="warning" icon={<IconClockExclamation size={18} />} role="alert" mb="md">
          {t("expired")}
        </Alert>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
        onChange={form.onEdit}
        noValidate
      >
        <LoginFields {...form.fields} problem={problem} />
        <Button type="submit" fullWidth mt="md" loading={logIn.isPending}>
          {t("submit")}
        </Button>
      </form>
      <OtherLogins />
    </EntryPage>
  );
}

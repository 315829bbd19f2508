import { Alert, Button } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TextLink } from "../../components/text-link.tsx";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { parsePlainSearch } from "../../lib/list/plain-search.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useKeepLogin } from "../../lib/use-keep-login.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { OtherLogins } from "../oauth/other-logins.tsx";
import { EntryPage } from "./entry-page.tsx";
import { LoginFields, useEnterConsole, useLoginForm } from "./login-form.tsx";
import { canUsePasskeys } from "../../lib/browser/can-use-passkeys.ts";
import { leaveSecondStep, useSecondStep } from "../../lib/api/second-step.ts";
import { useLogIn } from "./session-mutations.ts";

const SecondStepForm = lazyPart(async () => {
  await loadTexts(["security"]);
  return import("../second-step/second-step-form.tsx");
});
const loadPasskeys = () => loadChunk(() => import("../second-step/passkeys.ts"));

const route = getRouteApi("/login");

export default function LoginPage() {
  const { from } = route.useSearch();
  const { t } = useTranslation("login");
  const ways = useSecondStep();
  const keepLogin = useKeepLogin();
  const enterConsole = useEnterConsole(from);
  const enter = (user: SessionUser) => {
    leaveSecondStep();
    keepLogin(user);
    enterConsole(user, "");
  };
  if (ways === undefined) return <FirstStep enterConsole={enterConsole} onPasskey={enter} />;
  return (
    <EntryPage title={t("title")} heading={t("secondStep")}>
      <SecondStepForm ways={ways} onDone={enter} />
    </EntryPage>
  );
}

/** Returns the codes of an invitation that was opened with an ended session. */
function codesOf(origin = ""): Record<string, unknown> {
  return origin.startsWith("/register?") ? parsePlainSearch(origin.slice("/register".length)) : {};
}

interface FirstStepProps {
  enterConsole: ReturnType<typeof useEnterConsole>;
  onPasskey(user: SessionUser): void;
}

function FirstStep({ enterConsole, onPasskey }: FirstStepProps) {
  const { t } = useTranslation("login");
  const { expired } = route.useSearch();
  const { system_name: system, register_enabled: canRegister } = useStoredStatus();
  const { origin, problem: failed } = useRouterState({ select: (state) => state.location.state });
  const logIn = useLogIn();
  const form = useLoginForm({ logIn, onLoggedIn: enterConsole });
  const problem = useErrorText(form.error);
  const links = (
    <>
      <TextLink to="/reset">{t("forgot")}</TextLink>
      {canRegister && (
        <TextLink to="/register" search={codesOf(origin)}>
          {t("register")}
        </TextLink>
      )}
    </>
  );
  return (
    <EntryPage title={t("title")} heading={t("heading", { system })} links={links}>
      {(expired === true || failed !== undefined) && (
        <Alert
          color={failed === undefined ? "warning" : "danger"}
          icon={<IconClockExclamation size={18} />}
          role="alert"
          mb="md"
        >
          {failed ?? t("expired")}
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
      <PasskeyButton onLoggedIn={onPasskey} />
      <OtherLogins />
    </EntryPage>
  );
}

function PasskeyButton({ onLoggedIn }: { onLoggedIn(user: SessionUser): void }) {
  const { t } = useTranslation("login");
  const { server_address: address } = useStoredStatus();
  const enter = useMutation({
    mutationFn: async () => (await loadPasskeys()).enterWithPasskey(false),
    onSuccess: (user) => user !== undefined && onLoggedIn(user),
  });
  if (!canUsePasskeys(address)) return null;
  return (
    <Button variant="default" fullWidth mt="xs" loading={enter.isPending} onClick={() => enter.mutate()}>
      {t("passkey")}
    </Button>
  );
}

import { Loader } from "@mantine/core";
import { enterWithGitHub, enterWithLark, type OAuthProvider } from "@one-api/contract/oauth";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { MessagePage } from "../../components/message-page.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { showError } from "../../lib/api/show-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { currentUser } from "../../lib/state/session.ts";
import { toastInfo, toastSuccess } from "../../lib/toasts.ts";
import { useKeepLogin } from "../../lib/use-keep-login.ts";

const CALLS = { github: enterWithGitHub, lark: enterWithLark } as const;
const NAMES = { github: "GitHub", lark: "Lark" } as const;
const MOST_RETRIES = 3;
const WAIT_MS = 2_000;

/** What is worth another try: the code and the state have not been looked at. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === "network" || error.status >= 500);
}

async function withRetries<Result>(work: () => Promise<Result>, onRetry: (attempt: number) => void): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || attempt > MOST_RETRIES) throw error;
      onRetry(attempt);
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS * attempt));
    }
  }
}

interface OAuthCallbackProps {
  provider: OAuthProvider;
  code: string;
  state: string;
}

/** Where a provider leads back to: logs in or binds, and says meanwhile that it works on it. */
export function OAuthCallback({ provider, code, state }: OAuthCallbackProps) {
  const { t } = useTranslation("registration");
  const navigate = useNavigate();
  const keepLogin = useKeepLogin();
  const [attempt, setAttempt] = useState(0);
  const wasStarted = useRef(false);
  useEffect(() => {
    // The code works once: a second start would be refused.
    if (wasStarted.current) return;
    wasStarted.current = true;
    const finish = async () => {
      const query = { code, state };
      const user = await withRetries(() => callApi(CALLS[provider], { query }), setAttempt);
      if (user === null) {
        toastSuccess(t("bound"));
        return navigate({ to: "/setting" });
      }
      keepLogin(user);
      toastSuccess(t("loggedIn"));
      return navigate({ to: "/token" });
    };
    finish().catch((error: unknown) => {
      const isLoggedIn = currentUser() !== undefined;
      showError(error);
      toastInfo(t(isLoggedIn ? "oauthToSettings" : "oauthToLogin"));
      void navigate({ to: isLoggedIn ? "/setting" : "/login" });
    });
  }, [provider, code, state, navigate, keepLogin, t]);
  const name = NAMES[provider];
  return (
    <MessagePage
      mark={<Loader size="sm" />}
      title={t("oauthProcessing", { name })}
      text={attempt === 0 ? t("oauthWait") : t("oauthRetry", { attempt, most: MOST_RETRIES })}
    />
  );
}

import { Loader } from "@mantine/core";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { MessagePage } from "../../components/message-page.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { errorText, loadErrorTexts } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { currentUser } from "../../lib/state/session.ts";
import { asksSecondStep } from "../../lib/api/second-step.ts";
import { toastError, toastSuccess } from "../../lib/toasts/toasts.ts";
import { useKeepLogin } from "../../lib/use-keep-login.ts";

const MOST_RETRIES = 3;
const WAIT_MS = 2_000;

/** True if code and state were not checked yet, so that a retry may succeed. */
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
  name: string;
  /** Empty if the provider returns none: the user did not agree. */
  code: string;
  /** Logs in; null when it has bound an account instead. */
  enter(): Promise<SessionUser | null>;
}

/** Page of a provider's redirect: logs in or binds, and shows its progress. */
export function OAuthCallback({ name, code, enter }: OAuthCallbackProps) {
  const { t } = useTranslation("registration");
  const navigate = useNavigate();
  const keepLogin = useKeepLogin();
  const [attempt, setAttempt] = useState(0);
  const wasStarted = useRef(false);
  useEffect(() => {
    // The code works once: a second start would be refused.
    if (wasStarted.current) return;
    wasStarted.current = true;
    const isLoggedIn = currentUser() !== undefined;
    const leave = (problem: string) => {
      if (!isLoggedIn) return navigate({ to: "/login", state: { problem } });
      toastError(problem);
      return navigate({ to: "/setting" });
    };
    const fail = async (problem: unknown) => {
      if (asksSecondStep(problem)) return navigate({ to: "/login" });
      console.error(problem);
      // Without its texts the reason is shown in the server's words.
      await Promise.allSettled([loadErrorTexts()]);
      return leave(t(isLoggedIn ? "oauthNotLinked" : "oauthFailed", { reason: errorText(problem) }));
    };
    const finish = async () => {
      if (code === "") return leave(t("oauthNotAgreed", { name }));
      const user = await withRetries(enter, setAttempt);
      if (user === null) {
        toastSuccess(t("bound"));
        return navigate({ to: "/setting" });
      }
      keepLogin(user);
      toastSuccess(t("loggedIn"));
      return navigate({ to: "/token" });
    };
    finish().catch(fail);
  }, [name, code, enter, navigate, keepLogin, t]);
  return (
    <MessagePage
      mark={<Loader size="sm" />}
      title={t("oauthProcessing", { name })}
      text={attempt === 0 ? t("oauthWait") : t("oauthRetry", { attempt, most: MOST_RETRIES })}
    />
  );
}

import type { LoginInput, SessionUser } from "@one-api/contract/accounts/user";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { forgetServerState } from "../../lib/api/query-client.ts";
import { announceLogin, clearUser, resumeSession } from "../../lib/state/session.ts";
import { writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { asksSecondStep } from "../../lib/api/second-step.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useKeepLogin } from "../../lib/use-keep-login.ts";

/** Typed values, and the answer to the human check once required. */
interface LoginAnswer extends LoginInput {
  turnstile: string;
}

const sendLogin = ({ turnstile, ...body }: LoginAnswer) =>
  callApi("POST /api/user/login", { body, ...(turnstile === "" ? {} : { query: { turnstile } }) });

export function useLogIn() {
  const keepLogin = useKeepLogin();
  return useMutation({
    mutationFn: sendLogin,
    meta: { shownInPlace: true },
    onSuccess: keepLogin,
    onError: (error) => asksSecondStep(error),
  });
}

export type LogIn = ReturnType<typeof useLogIn>;

/** Returns a function that continues after a renewed login of the same user, and keeps the page with its data. */
export function useResume(): (user: SessionUser) => void {
  const client = useQueryClient();
  return (user) => {
    resumeSession(user);
    announceLogin();
    void client.refetchQueries({ predicate: (query) => query.state.status === "error" });
  };
}

export function useResumeSession() {
  const resume = useResume();
  return useMutation({
    mutationFn: sendLogin,
    meta: { shownInPlace: true },
    onSuccess: resume,
    onError: (error) => asksSecondStep(error),
  });
}

export function useLogOut() {
  const { t } = useTranslation("shell");
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => callApi("GET /api/user/logout"),
    onSuccess: async () => {
      toastSuccess(t("logoutSuccess"));
      clearUser();
      // The next person at this browser must not read the conversation.
      writeStored(STORAGE_KEY.playground, undefined);
      await navigate({ to: "/login" });
      forgetServerState(client);
    },
  });
}

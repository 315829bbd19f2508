import { TextInput } from "@mantine/core";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { SecretInput } from "../../components/secret-input.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { internalPath } from "../../lib/values/internal-path.ts";
import { dropToasts, toastSuccess, toastWarning } from "../../lib/toasts/toasts.ts";
import { checkEntry, loadEntryRules } from "../../lib/check-entry.ts";
import { rememberDefaultPassword, usesDefaultPassword } from "./default-password.ts";
import classes from "./login-form.module.css";
import type { LogIn } from "./session-mutations.ts";

/**
 * Returns a function that follows a login: to the requested page, else to the tokens; root with the default password to
 * a new one.
 */
export function useEnterConsole(from: string | undefined): (user: SessionUser, password: string) => void {
  const { t } = useTranslation("login");
  const router = useRouter();
  const lostOrigin = useRouterState({ select: (state) => state.location.state.origin });
  return (user, password) => {
    dropToasts("error");
    toastSuccess(t("success"));
    const isDefault = usesDefaultPassword(user, password);
    rememberDefaultPassword(isDefault);
    if (isDefault) {
      toastWarning(t("defaultPassword"));
      router.history.push("/user/edit");
    } else {
      router.history.push(internalPath(from) ?? internalPath(lostOrigin) ?? "/token");
    }
  };
}

const HumanCheck = lazyPart(async () => ({ default: (await import("../verification/human-check.tsx")).HumanCheck }));

/**
 * Human check, shown after the first login that was refused without it. Each answer works once, so each try has a new
 * widget.
 */
function useLateHumanCheck() {
  const [token, setToken] = useState("");
  const [round, setRound] = useState(0);
  const onError = (error: Error) => {
    setToken("");
    const isAsked = error instanceof ApiError && error.code?.startsWith("human-check") === true;
    if (isAsked || round > 0) setRound(round + 1);
  };
  return { token, onError, widget: round > 0 && <HumanCheck key={round} action="login" onAnswer={setToken} /> };
}

interface LoginFormState {
  username?: string;
  logIn: LogIn;
  onLoggedIn?: (user: SessionUser, password: string) => void;
}

/**
 * Returns the submit of a form with `LoginFields`: it sends when both fields are filled, else focuses the empty one.
 */
export function useLoginForm({ logIn, username: fixedName, onLoggedIn }: LoginFormState) {
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const human = useLateHumanCheck();
  const [refusal, setRefusal] = useState<ApiError>();
  const submit = async () => {
    const typed = { username: username.current?.value.trim() ?? "", password: password.current?.value ?? "" };
    const found = await checkEntry("login", typed);
    // The focus alone leads to an empty field.
    setRefusal(found?.values?.["problem"] === "missing" ? undefined : found);
    if (found !== undefined) return (found.field === "username" ? username : password).current?.focus();
    logIn.mutate(
      { ...typed, turnstile: human.token },
      {
        onSuccess: (user) => onLoggedIn?.(user, typed.password),
        onError: (error) => {
          password.current?.select();
          human.onError(error);
        },
      },
    );
  };
  const onEdit = () => {
    void loadEntryRules();
    setRefusal(undefined);
    if (logIn.isError) logIn.reset();
  };
  const error = refusal ?? logIn.error;
  const fields = { username, password, fixedName, isRefused: error !== null, human: human.widget };
  return { submit: () => void submit(), onEdit, error, fields };
}

interface LoginFieldsProps {
  username: RefObject<HTMLInputElement | null>;
  password: RefObject<HTMLInputElement | null>;
  fixedName: string | undefined;
  isRefused: boolean;
  human: ReactNode;
  problem?: string | undefined;
}

export function LoginFields({ username, password, fixedName, isRefused, human, problem }: LoginFieldsProps) {
  const { t } = useTranslation("login");
  const isFixed = fixedName !== undefined;
  return (
    <div className={classes.fields}>
      <TextInput
        ref={username}
        label={t("username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!isFixed}
        error={isRefused}
        {...(isFixed ? { readOnly: true, defaultValue: fixedName, variant: "filled" } : {})}
      />
      <SecretInput
        ref={password}
        label={t("password")}
        name="password"
        autoComplete="current-password"
        error={problem ?? isRefused}
        errorProps={{ role: "alert" }}
        data-autofocus={isFixed || undefined}
        visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      />
      {human}
    </div>
  );
}

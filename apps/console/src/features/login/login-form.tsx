import { PasswordInput, TextInput } from "@mantine/core";
import type { SessionUser } from "@one-api/contract/user";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type RefObject, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { internalPath } from "../../lib/internal-path.ts";
import { toastSuccess, toastWarning } from "../../lib/toasts.ts";
import { rememberDefaultPassword, usesDefaultPassword } from "./default-password.ts";
import classes from "./login-form.module.css";
import type { LogIn } from "./session-mutations.ts";

/** Returns what leads a fresh login on: to the page that it was needed for, else to the tokens; root with the default password to a new one. */
export function useEnterConsole(from: string | undefined): (user: SessionUser, password: string) => void {
  const { t } = useTranslation("login");
  const router = useRouter();
  const lostOrigin = useRouterState({ select: (state) => state.location.state.origin });
  return (user, password) => {
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

interface LoginFormState {
  /** Whose password is asked for; undefined where anybody may log in. */
  username?: string;
  logIn: LogIn;
  onLoggedIn?: (user: SessionUser, password: string) => void;
}

/** Returns what a form with `LoginFields` does: it sends only when both are there, and leads the focus to the one that is not. */
export function useLoginForm({ logIn, username: fixedName, onLoggedIn }: LoginFormState) {
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const submit = () => {
    const name = username.current?.value.trim() ?? "";
    const secret = password.current?.value ?? "";
    if (name === "") return username.current?.focus();
    if (secret === "") return password.current?.focus();
    logIn.mutate(
      { username: name, password: secret },
      { onSuccess: (user) => onLoggedIn?.(user, secret), onError: () => password.current?.select() },
    );
  };
  const onEdit = () => {
    if (logIn.isError) logIn.reset();
  };
  return { submit, onEdit, fields: { username, password, fixedName, isRefused: logIn.isError } };
}

interface LoginFieldsProps {
  username: RefObject<HTMLInputElement | null>;
  password: RefObject<HTMLInputElement | null>;
  fixedName: string | undefined;
  isRefused: boolean;
  /** Why, unless it is said elsewhere. */
  problem?: string | undefined;
}

/** Username and password. */
export function LoginFields({ username, password, fixedName, isRefused, problem }: LoginFieldsProps) {
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
      <PasswordInput
        ref={password}
        label={t("password")}
        name="password"
        autoComplete="current-password"
        error={problem ?? isRefused}
        errorProps={{ role: "alert" }}
        data-autofocus={isFixed || undefined}
        visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      />
    </div>
  );
}

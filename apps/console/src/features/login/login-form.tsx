import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useRef, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLogIn } from "./api/use-log-in.ts";
import classes from "./login-form.module.css";
import { useEnterConsole } from "./use-enter-console.ts";

/** Username and password; sends only when both are there, and leads the focus to the one that is not. */
export function LoginForm({ from }: { from: string | undefined }) {
  const { t } = useTranslation("login");
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const logIn = useLogIn();
  const enter = useEnterConsole(from);
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    const name = username.current?.value.trim() ?? "";
    const secret = password.current?.value ?? "";
    if (name === "") return username.current?.focus();
    if (secret === "") return password.current?.focus();
    logIn.mutate(
      { username: name, password: secret },
      { onSuccess: (user) => enter(user, secret), onError: () => password.current?.select() },
    );
  };
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <TextInput
        ref={username}
        label={t("username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        error={logIn.isError}
      />
      <PasswordInput
        ref={password}
        label={t("password")}
        name="password"
        autoComplete="current-password"
        error={logIn.isError}
        visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      />
      <Button type="submit" fullWidth loading={logIn.isPending}>
        {t("submit")}
      </Button>
    </form>
  );
}

import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A field for a secret. Mantine's own does not tell assistive technology that its value is wrong. */
export function SecretInput({ error, ...props }: PasswordInputProps) {
  const isWrong = error !== undefined && error !== null && error !== false && error !== "";
  return <PasswordInput error={error} {...(isWrong ? { "aria-invalid": true } : {})} {...props} />;
}

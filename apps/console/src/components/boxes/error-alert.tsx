import { Alert, type AlertProps } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useErrorText } from "../../lib/api/error-text.ts";

/** An inline error, which screen readers announce at once. */
export function ProblemAlert(props: AlertProps) {
  return <Alert color="danger" icon={<IconAlertCircle size={18} />} role="alert" {...props} />;
}

interface ErrorAlertProps extends AlertProps {
  error: Error | null;
}

/** Shows why a call failed, in the viewer's language; nothing without an error. */
export function ErrorAlert({ error, ...alert }: ErrorAlertProps) {
  const text = useErrorText(error);
  return error !== null && <ProblemAlert {...alert}>{text}</ProblemAlert>;
}

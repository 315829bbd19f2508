import { Button, Modal } from "@mantine/core";
import type { SessionUser } from "@one-api/contract/user";
import { useTranslation } from "react-i18next";
import { abandonSession } from "../../lib/session.ts";
import { LoginForm } from "./login-form.tsx";
import { useResumeSession } from "./session-mutations.ts";

/** Above every other dialog: the session may end under one. */
const LAYER = 500;

/** Asks for the password over the page whose session has ended; what was typed there stays. */
export default function SessionDialog({ user }: { user: SessionUser }) {
  const { t } = useTranslation(["login", "common"]);
  const logIn = useResumeSession();
  return (
    <Modal
      opened
      onClose={abandonSession}
      title={t("login:lost.title")}
      size="sm"
      zIndex={LAYER}
      // What is behind is not given up by a press beside the dialog.
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("login:lost.leave") }}
    >
      <p>{t("login:lost.text")}</p>
      <LoginForm logIn={logIn} {...(user.username === "" ? {} : { username: user.username })} />
      <Button variant="subtle" fullWidth mt="xs" onClick={abandonSession}>
        {t("login:lost.leave")}
      </Button>
    </Modal>
  );
}

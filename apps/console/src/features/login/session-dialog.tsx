import type { SessionUser } from "@one-api/contract/accounts/user";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { abandonSession } from "../../lib/state/session.ts";
import { LoginFields, useLoginForm } from "./login-form.tsx";
import { leaveSecondStep, useSecondStep } from "../../lib/api/second-step.ts";
import { useResume, useResumeSession } from "./session-mutations.ts";

const SecondStepForm = lazyPart(async () => {
  await loadTexts(["security"]);
  return import("../second-step/second-step-form.tsx");
});

/** Above every other dialog: the session may end under one. */
const LAYER = 500;

/** Asks for the password over a page whose session has ended, and keeps its input. */
export default function SessionDialog({ user }: { user: SessionUser }) {
  const { t } = useTranslation("login");
  const ways = useSecondStep();
  const resume = useResume();
  const logIn = useResumeSession();
  const form = useLoginForm({ logIn, ...(user.username === "" ? {} : { username: user.username }) });
  if (ways !== undefined) {
    const leave = () => {
      leaveSecondStep();
      abandonSession();
    };
    const onDone = (entered: SessionUser) => {
      leaveSecondStep();
      resume(entered);
    };
    return (
      <Dialog
        onClose={leave}
        title={t("secondStep")}
        size="sm"
        zIndex={LAYER}
        closeOnClickOutside={false}
        closeLabel={t("lost.leave")}
      >
        <SecondStepForm ways={ways} onDone={onDone} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      onClose={abandonSession}
      title={t("lost.title")}
      size="sm"
      zIndex={LAYER}
      // A click outside must not discard the page behind.
      closeOnClickOutside={false}
      closeLabel={t("lost.leave")}
      cancelLabel={t("lost.leave")}
      submitLabel={t("submit")}
      isSaving={logIn.isPending}
      error={form.error}
      onSubmit={form.submit}
      onEdit={form.onEdit}
    >
      <p>{t("lost.text")}</p>
      <LoginFields {...form.fields} />
    </FormDialog>
  );
}

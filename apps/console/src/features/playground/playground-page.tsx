import { Button } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconCode, IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { Sheet } from "../../components/dialogs/sheet.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/state/session.ts";
import { watchUnsaved } from "../../lib/state/unsaved-work.ts";
import { clearTurns, hasConversation, openConversation, turnsOf } from "./chat/playground-store.ts";
import classes from "./playground-page.module.css";
import { PresetsButton } from "./presets/presets-button.tsx";
import { SetupPanel } from "./setup/setup-panel.tsx";
import { SystemPrompt } from "./setup/system-prompt.tsx";
import { useSideScreen } from "./setup/use-side-screen.ts";
import { ChatPanes } from "./turns/chat-panes.tsx";
import { ComparedFacts } from "./turns/compared-facts.tsx";
import { Composer } from "./turns/composer.tsx";
import { FirstQuestion } from "./turns/first-question.tsx";
import { type Asking, type PlaygroundActions, useActions, useAsked } from "./use-playground.ts";
import { useReplay } from "./use-replay.ts";

const CodeSheet = lazyPart(() => import("./code/code-sheet.tsx"));

function NoModel() {
  const { t } = useTranslation("playground");
  const isAdmin = useIsAdmin();
  const action = isAdmin && <ButtonLink to="/channel">{t("noModel.channels")}</ButtonLink>;
  return (
    <EmptyState title={t("noModel.title")} text={t(isAdmin ? "noModel.forAdmins" : "noModel.text")} action={action} />
  );
}

function Chat({ asking, actions }: { asking: Asking; actions: PlaygroundActions }) {
  const { tokens, tokenId, models } = asking;
  for (const { error, data, refetch } of [tokens, models]) {
    if (error !== null && data === undefined) return <ListError error={error} onRetry={() => void refetch()} />;
  }
  if (tokens.data?.length === 0 && tokenId === undefined) return <FirstQuestion />;
  if (models.data?.length === 0) return <NoModel />;
  return (
    <>
      <SystemPrompt />
      <ChatPanes asking={asking} actions={actions} />
      {actions.panes.length > 1 && <ComparedFacts />}
      <Composer asking={asking} actions={actions} />
    </>
  );
}

interface HeadProps {
  asking: Asking;
  isRunning: boolean;
  /** Undefined where the settings stand beside the chat. */
  onSetup: (() => void) | undefined;
  onCode(): void;
}

function Head({ asking, isRunning, onSetup, onCode }: HeadProps) {
  const { t } = useTranslation("playground");
  const isEmpty = turnsOf(0).use().length === 0;
  return (
    <PageHeader
      title={t("title")}
      secondaryActions={
        <>
          <PresetsButton asking={asking} />
          {onSetup !== undefined && (
            <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={onSetup}>
              {t("setup.title")}
            </Button>
          )}
          <Button variant="default" leftSection={<IconCode size={16} />} onClick={onCode}>
            {t("code.open")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            disabled={isEmpty || isRunning}
            onClick={clearTurns}
          >
            {t("clear")}
          </Button>
        </>
      }
    />
  );
}

export default function PlaygroundPage() {
  const { t } = useTranslation("playground");
  const user = useCurrentUser();
  if (user !== undefined) openConversation(user.id);
  // When the session ends, the login comes over the page, and the conversation goes on.
  useEffect(() => watchUnsaved(hasConversation), []);
  useReplay();
  const asking = useAsked();
  const actions = useActions(asking);
  const hasSide = useSideScreen();
  const [opened, setOpened] = useState<"setup" | "code" | undefined>();
  const close = () => setOpened(undefined);
  const setup = <SetupPanel asking={asking} />;
  return (
    <div className={classes.page}>
      <Head
        asking={asking}
        isRunning={actions.isRunning}
        onSetup={hasSide ? undefined : () => setOpened("setup")}
        onCode={() => setOpened("code")}
      />
      <div className={classes.columns}>
        <div className={classes.chat}>
          <Chat asking={asking} actions={actions} />
        </div>
        {hasSide && (
          <aside className={classes.side} aria-label={t("setup.title")}>
            {setup}
          </aside>
        )}
      </div>
      {!hasSide && (
        <Sheet opened={opened === "setup"} onClose={close} title={t("setup.title")}>
          {setup}
        </Sheet>
      )}
      {opened === "code" && (
        <CodeSheet asks={actions.panes.flatMap((pane) => actions.askOf(pane) ?? [])} onClose={close} />
      )}
    </div>
  );
}

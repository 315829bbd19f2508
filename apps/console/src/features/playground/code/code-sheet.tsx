import { useState } from "react";
import { ChoiceButtons } from "../../../components/boxes/choice-buttons.tsx";
import { CodeBlock } from "../../../components/content/code-block.tsx";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { KEY_VARIABLE } from "../../../lib/values/call-example.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useServerAddress } from "../../../lib/state/stored-status.ts";
import type { PaneAsk } from "../chat/ask-model.ts";
import type { ChatAsk } from "../chat/chat-request.ts";
import type { Turn } from "../chat/conversation.ts";
import { draftStore, PANES, turnsOf } from "../chat/playground-store.ts";
import classes from "./code-sheet.module.css";
import { CODE_KINDS, type CodeKind, shortened, writeCode } from "./write-code.ts";

interface CodeSheetProps {
  asks: readonly PaneAsk[];
  onClose(): void;
}

/** Turns of the program: the last question with its context, else the draft, else a sample. */
function turnsToAsk(turns: readonly Turn[], draft: { text: string }, sample: string): readonly Turn[] {
  const question = { role: "user", id: "draft", images: [], text: draft.text.trim() || sample } as const;
  if (turns.length === 0) return [{ ...draftStore.get(), ...question }];
  const last = turns.at(-1);
  return last?.role === "assistant" && last.calls.length === 0 ? turns.slice(0, -1) : turns;
}

export default function CodeSheet({ asks, onClose }: CodeSheetProps) {
  const { t } = useTranslation("playground");
  const [kind, setKind] = useState<CodeKind>("curl");
  const [place, setPlace] = useState(0);
  const address = useServerAddress();
  const draft = draftStore.use();
  const pane = PANES[place] ?? 0;
  const turns = turnsOf(pane).use();
  const asked = asks[place] ?? asks[0];
  const ask: ChatAsk | undefined = asked && { ...asked, turns: turnsToAsk(turns, draft, t("code.sample")) };
  const code = ask === undefined ? "" : writeCode(kind, ask, address);
  return (
    <Sheet opened onClose={onClose} title={t("code.title")}>
      <p className={classes.hint}>{t("code.hint", { name: KEY_VARIABLE })}</p>
      <div className={classes.choices}>
        {asks.length > 1 && (
          <ChoiceButtons
            label={t("setup.model")}
            choices={asks.map(({ model: { model } }, index) => ({ value: index, text: model }))}
            value={place}
            onChange={setPlace}
          />
        )}
        <ChoiceButtons
          label={t("code.language")}
          choices={CODE_KINDS.map((value) => ({ value, text: t(`code.kinds.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
      </div>
      {ask === undefined ? (
        <p>{t("code.nothing")}</p>
      ) : (
        <CodeBlock code={code} shown={shortened(code)} label={t("code.copy")} />
      )}
    </Sheet>
  );
}

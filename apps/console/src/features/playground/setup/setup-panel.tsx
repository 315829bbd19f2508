import { Button, Switch } from "@mantine/core";
import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { IconChevronDown, IconChevronRight, IconColumns2 } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { beginSecondPane, isStoredStore, setStored, setupStore } from "../chat/playground-store.ts";
import { type Asking, useClosePane, usePlaygroundSearch } from "../use-playground.ts";
import { ModelSelect } from "./model-select.tsx";
import classes from "./setup-panel.module.css";
import { TokenSelect } from "./token-select.tsx";
import { useSideScreen } from "./use-side-screen.ts";
import { ToolsField } from "./tools-field.tsx";
import { OptionsFields } from "./options-fields.tsx";

/** The models: one, or two side by side. The second one goes on from what the first has said so far. */
function Models({ asking }: { asking: Asking }) {
  const { t } = useTranslation("playground");
  const { search, change } = usePlaygroundSearch();
  const close = useClosePane();
  const [first] = asking.asked;
  const compare = () => {
    const other = asking.models.data?.find(({ model }) => model !== first?.name)?.model ?? first?.name;
    beginSecondPane();
    change({ versus: other });
  };
  return (
    <>
      <ModelSelect
        models={asking.models}
        label={t("setup.model")}
        value={first?.name}
        onChange={(model) => change({ model })}
      />
      {search.versus === undefined ? (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconColumns2 size={16} />}
          disabled={first?.model === undefined}
          onClick={compare}
        >
          {t("setup.compare")}
        </Button>
      ) : (
        <ModelSelect
          models={asking.models}
          label={t("setup.versus")}
          value={search.versus}
          onChange={(versus) => change({ versus })}
          onClear={() => close(1)}
        />
      )}
    </>
  );
}

/** Parameters of most models, shown while those of the chosen ones load, so that little moves. */
const USUAL_PARAMETERS = CHAT_PARAMETERS.filter((name) => name !== "reasoning_effort");

/** Parameters and tools. Folded where they have no room beside the chat, unless one of them is set. */
function Parameters({ asking }: { asking: Asking }) {
  const { t } = useTranslation("playground");
  const { search } = usePlaygroundSearch();
  const tools = setupStore.usePart((setup) => setup.tools);
  const { temperature, top_p, max_tokens, json, effort } = search;
  const isSet = tools !== "" || [temperature, top_p, max_tokens, json, effort].some((value) => value !== undefined);
  const hasRoom = useSideScreen();
  const [isOpen, setOpen] = useState(isSet || hasRoom);
  const [wasSet, setWasSet] = useState(isSet);
  // A preset that sets one opens them; a field that is cleared does not vanish.
  if (isSet !== wasSet) {
    setWasSet(isSet);
    if (isSet) setOpen(true);
  }
  const known = asking.asked.flatMap(({ model }) => model?.parameters ?? []);
  const parameters = new Set(asking.models.data === undefined ? USUAL_PARAMETERS : known);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        onClick={() => setOpen(!isOpen)}
      >
        {t("setup.parameters")}
      </Button>
      {isOpen && (
        <div className={classes.parameters}>
          <OptionsFields parameters={parameters} models={asking.asked.flatMap(({ model }) => model ?? [])} />
          {parameters.has("tools") && <ToolsField />}
        </div>
      )}
    </div>
  );
}

export function SetupPanel({ asking }: { asking: Asking }) {
  const { t } = useTranslation("playground");
  const { change } = usePlaygroundSearch();
  const isStored = isStoredStore.use();
  return (
    <div className={classes.panel}>
      <TokenSelect tokenId={asking.tokenId} hint={t("setup.tokenHint")} onChange={(token) => change({ token })} />
      <Models asking={asking} />
      <Parameters asking={asking} />
      <Switch
        label={t("setup.keep")}
        description={t("setup.keepHint")}
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
    </div>
  );
}

import { Button } from "@mantine/core";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { keepIfWanted, setupStore } from "../chat/playground-store.ts";
import { readTools } from "../chat/read-tools.ts";

const EXAMPLE = JSON.stringify(
  [
    {
      name: "get_weather",
      description: "The weather at a place now",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
  undefined,
  2,
);

export function ToolsField() {
  const { t } = useTranslation("playground");
  const setup = setupStore.use();
  const { tools, problem } = readTools(setup.tools);
  const change = (text: string) => setupStore.set({ ...setup, tools: text });
  const where = problem !== undefined && "number" in problem ? { number: problem.number } : {};
  return (
    <div>
      <JsonEditor
        label={t("setup.tools")}
        description={
          tools === undefined || tools.length === 0
            ? t("setup.toolsHint")
            : t("setup.toolsKnown", { names: tools.map(({ name }) => name).join(", ") })
        }
        minRows={2}
        value={setup.tools}
        onChange={change}
        onBlur={keepIfWanted}
        {...(problem === undefined ? {} : { error: t(`setup.toolsWrong.${problem.kind}`, where) })}
      />
      {setup.tools === "" && (
        <Button size="compact-xs" variant="subtle" mt="2xs" onClick={() => change(EXAMPLE)}>
          {t("setup.toolsExample")}
        </Button>
      )}
    </div>
  );
}

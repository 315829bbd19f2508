import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { useCallExamples } from "../../components/content/call-examples.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { exampleModel } from "../../lib/values/call-example.ts";
import { availableModelsQuery } from "../tokens/token-queries.ts";

/** A model for examples: one that the user can call, else a well-known one. */
function useExampleModel(): string {
  const { data = [] } = useQuery({ ...availableModelsQuery, enabled: useCurrentUser() !== undefined });
  return exampleModel(data);
}

export function FirstCall() {
  const { t } = useTranslation("home");
  const { choice, code } = useCallExamples(useExampleModel());
  return (
    <Card title={t("call.heading")} description={t("call.hint")} actions={choice}>
      {code}
    </Card>
  );
}

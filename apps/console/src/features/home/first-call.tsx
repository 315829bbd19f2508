import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../../components/boxes/card.tsx";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { type CallExample, curlExample, exampleModel, KEY_VARIABLE } from "../../lib/values/call-example.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { availableModelsQuery } from "../tokens/token-queries.ts";

/** Ready-to-run first calls; the key comes from the environment, so that none ends up in a shell history. */
function callExamples({ address, model, prompt }: Omit<CallExample, "key">) {
  const message = JSON.stringify(prompt);
  return {
    curl: curlExample({ address, model, prompt, key: `$${KEY_VARIABLE}` }),
    Python: `import os
from openai import OpenAI

client = OpenAI(base_url="${address}", api_key=os.environ["${KEY_VARIABLE}"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": ${message}}],
)
print(answer.choices[0].message.content)`,
    JavaScript: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}", apiKey: process.env.${KEY_VARIABLE} });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: ${message} }],
});
console.log(answer.choices[0].message.content);`,
  } as const;
}

/** A model for examples: one that the user can call, else a well-known one. */
function useExampleModel(): string {
  const { data = [] } = useQuery({ ...availableModelsQuery, enabled: useCurrentUser() !== undefined });
  return exampleModel(data);
}

const languages = ["curl", "Python", "JavaScript"] as const;

export function FirstCall() {
  const { t } = useTranslation("home");
  const [language, setLanguage] = useState<(typeof languages)[number]>("curl");
  const address = `${useServerAddress()}/v1`;
  const examples = callExamples({ address, model: useExampleModel(), prompt: t("call.prompt") });
  const choice = (
    <ChoiceButtons
      label={t("call.language")}
      choices={languages.map((name) => ({ value: name, text: name }))}
      value={language}
      onChange={setLanguage}
    />
  );
  return (
    <Card title={t("call.heading")} description={t("call.hint")} actions={choice}>
      <CodeBlock code={examples[language]} label={t("call.copy")} />
    </Card>
  );
}

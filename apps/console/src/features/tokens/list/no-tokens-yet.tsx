import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../../components/button-link.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { useServerAddress } from "../copy/use-server-address.ts";

function exampleCall(server: string): string {
  return [
    `curl ${server}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer sk-YOUR_TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "gpt-4o-mini",`,
    `       "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join("\n");
}

/** Stands where there are no tokens: says what one is for and how it is used. */
export function NoTokensYet() {
  const { t } = useTranslation("tokens");
  const server = useServerAddress();
  return (
    <EmptyState
      title={t("empty.title")}
      text={t("empty.text")}
      action={
        <ButtonLink to="/token/add" variant="default">
          {t("empty.action")}
        </ButtonLink>
      }
      example={<CodeBlock code={exampleCall(server)} />}
    />
  );
}

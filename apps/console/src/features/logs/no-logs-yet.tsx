import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { useStoredStatus } from "../../lib/stored-status.ts";

function exampleCall(address: string): string {
  return [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join("\n");
}

/** Stands where nothing was ever logged: shows how to make the first entry. */
export function NoLogsYet() {
  const { t } = useTranslation("logs");
  const { server_address: serverAddress } = useStoredStatus();
  const address = (serverAddress || window.location.origin).replace(/\/+$/, "");
  return (
    <EmptyState
      title={t("empty.title")}
      text={t("empty.text")}
      example={<CodeBlock code={exampleCall(address)} />}
      action={
        <ButtonLink to="/token" variant="default">
          {t("empty.action")}
        </ButtonLink>
      }
    />
  );
}

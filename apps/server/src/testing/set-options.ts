import { updateOption } from "@one-api/contract/options/option";
import type { MailServer } from "@one-api/stub-server/people/start-mail-server";
import type { TestApp } from "./create-test-app.ts";

/** Sets options as root. */
export async function setOptions(testApp: TestApp, options: Readonly<Record<string, string>>): Promise<void> {
  const { client } = await testApp.logInAs("root");
  for (const [key, value] of Object.entries(options)) await client.data(updateOption, { body: { key, value } });
}

export function mailOptions(server: MailServer): Record<string, string> {
  return {
    SMTPServer: "127.0.0.1",
    SMTPPort: String(server.port),
    SMTPAccount: server.account,
    SMTPToken: server.password,
    ServerAddress: "https://gateway.example",
  };
}

/** Adds a passkey to root's account, so that passwords can be turned off. */
export async function givePasskeyToRoot(testApp: TestApp): Promise<void> {
  const { user } = await testApp.logInAs("root");
  const passkey = { user_id: user.id, credential_id: "root", public_key: "", counter: 0, name: "Key", created_at: 0 };
  await testApp.database.db
    .insertInto("passkeys")
    .values({ ...passkey, last_used_at: 0 })
    .execute();
}

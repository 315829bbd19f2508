import { sendTestMail } from "@one-api/contract/option";
import { recordAudit } from "../../core/audit.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { testMail } from "./mail-texts.ts";
import type { Mailer } from "./mailer.ts";

/** Hands in the call that tries the mail settings. */
export function registerMailCalls(registry: CallRegistry, options: OptionStore, mailer: Mailer): void {
  registry.register(sendTestMail, async ({ context, body, header }) => {
    await mailer.send({ to: body.email, ...testMail(options.text("SystemName"), header("accept-language")) });
    await recordAudit(context.database.db, context, { action: "mail.test", object: `mail:${body.email}` });
    return null;
  });
}

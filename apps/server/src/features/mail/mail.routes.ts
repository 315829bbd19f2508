import { sendTestMail, sendTestPush } from "@one-api/contract/options/option";
import { recordAudit } from "../../core/audit.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { testMail } from "./mail-texts.ts";
import type { Mailer } from "./mailer.ts";
import type { MessagePusher } from "./message-pusher.ts";

interface MailCallDeps {
  readonly options: OptionStore;
  readonly mailer: Mailer;
  readonly pusher: MessagePusher;
}

export function registerMailCalls(registry: CallRegistry, { options, mailer, pusher }: MailCallDeps): void {
  const message = (language: string | undefined) => testMail(options.text("SystemName"), language);
  registry.register(sendTestMail, async ({ context, body, header }) => {
    await mailer.send({ to: body.email, message: message(header("accept-language")) });
    await recordAudit(context.database.db, context, { action: "mail.test", object: `mail:${body.email}` });
    return null;
  });
  registry.register(sendTestPush, async ({ context, header }) => {
    await pusher.push(message(header("accept-language")));
    await recordAudit(context.database.db, context, {
      action: "option.test-message-pusher",
      object: "option:MessagePusherAddress",
    });
    return null;
  });
}

import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type MailMessage, mailText, oneLine } from "./mail-message.ts";

/** Sends messages to root by Message Pusher (github.com/songquanpeng/message-pusher), with the current options. */
export interface MessagePusher {
  isSetUp(): boolean;
  /** Resolves when the server has accepted the message. Throws `pusher-not-set-up` and `pusher-failed`. */
  push(message: MailMessage): Promise<void>;
}

const answerSchema = z.looseObject({ success: z.boolean(), message: z.string().default("") });

export function createMessagePusher(options: OptionStore): MessagePusher {
  const isSetUp = () => options.text("MessagePusherAddress") !== "" && options.secret("MessagePusherToken") !== "";
  return {
    isSetUp,
    async push(message) {
      if (!isSetUp()) {
        const text =
          "Message Pusher is not set up. An administrator has to set MessagePusherAddress and MessagePusherToken in the system settings.";
        throw new AppError("pusher-not-set-up", text);
      }
      const [address, token] = [options.text("MessagePusherAddress"), options.secret("MessagePusherToken")];
      const title = oneLine(message.subject);
      const body = { title, description: title, content: mailText(message), token };
      const answer = await fetchJson(address, { method: "POST", body }).catch((error: unknown) =>
        refuse(address, error instanceof Error ? error.message : String(error), token),
      );
      const read = answerSchema.safeParse(answer);
      if (!read.success) refuse(address, "it answers something else than success and message", token);
      else if (!read.data.success) refuse(address, read.data.message || "it refuses the message", token);
    },
  };
}

/** Removes the token, which the server's answer may repeat. */
function refuse(address: string, said: string, token: string): never {
  const { host } = new URL(address);
  const reason = oneLine(said.replaceAll(token, "***")).slice(0, 200);
  throw new AppError("pusher-failed", `Message Pusher at ${host} took no message: ${reason}`, {
    values: { host, reason },
  });
}

import { type MailMessage, mailText, oneLine } from "../../mail/index.ts";
import type { Notice } from "./sender.ts";

/** Returns the longest message that fits, with fewer alerts if need be. The least has one alert. */
export function fittingMessage(notice: Notice, fits: (message: MailMessage) => boolean): MailMessage {
  let shown = notice.alerts.length;
  let message = notice.messageWith(shown);
  while (shown > 1 && !fits(message)) {
    shown -= 1;
    message = notice.messageWith(shown);
  }
  return message;
}

export function fittingText(notice: Notice, fits: (text: string) => boolean): string {
  return plainText(fittingMessage(notice, (message) => fits(plainText(message))));
}

function plainText(message: MailMessage): string {
  return `${oneLine(message.subject)}\n\n${mailText(message)}`;
}

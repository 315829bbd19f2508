export { type AccountChange, accountMail } from "./account-mail-texts.ts";
export { deliverOutbox, type DeliveryDeps } from "./deliver-outbox.ts";
export {
  mailLanguage,
  type MailLanguage,
  type MailMessage,
  mailMessageSchema,
  mailText,
  oneLine,
  utcTime,
} from "./mail-message.ts";
export { addressTakenMail, codeMail, resetMail, testMail } from "./mail-texts.ts";
export { registerMailCalls } from "./mail.routes.ts";
export { createMailer, mailIsSetUp, type Mailer } from "./mailer.ts";
export { createMessagePusher, type MessagePusher } from "./message-pusher.ts";
export { queueMessage, ROOT_RECIPIENT } from "./outbox.repository.ts";
export { amountText, quotaMail, tokenMail } from "./quota-mail-texts.ts";

export { addressTakenMail, codeMail, resetMail, tokenMail } from "./mail-texts.ts";
export { registerMailCalls } from "./mail.routes.ts";
export { createMailer, type Mailer } from "./mailer.ts";

import { type MailSender, readMailSender } from "@one-api/contract/accounts/mail-sender";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type MailMessage, mailHtml, mailText, oneLine } from "./mail-message.ts";
import { connectMailServer } from "./connect-mail-server.ts";

const TIMEOUT_MS = 10_000;
/** For one mail from the greeting to the end, in ms. */
const LIFETIME_MS = 60_000;
/** From this port on TLS comes first; on others STARTTLS is used where the server offers it (RFC 8314, 3.3). */
const TLS_PORT = 465;

/** One mail to one address. */
interface Mail {
  readonly to: string;
  readonly message: MailMessage;
  /** The same for every try to send the same mail, so that a mailbox may leave a second copy out. */
  readonly id?: string;
}

/** Sends mails with the SMTP settings in force. */
export interface Mailer {
  isSetUp(): boolean;
  /** Throws `mail-not-set-up` while a setting is missing. */
  checkIsSetUp(): void;
  /**
   * Resolves when the mail server has taken the mail. Throws `mail-not-set-up` and `mail-failed`, as `MailRefusedError` where another try is in
   * vain and as `MailDelayedError` where other mails fare better.
   */
  send(mail: Mail): Promise<void>;
}

/** The mail server takes this mail from nobody, or for nobody: the address is wrong, or the mail itself is refused. */
export class MailRefusedError extends AppError {}

/** The mail server cannot take a mail for this address now: its domain is not found, its mailbox is full. */
export class MailDelayedError extends AppError {}

/** What an answer begins with that is of the recipient's address or mailbox, and passes (RFC 3463, 3.2 and 3.3). */
const DELAYED = /^4\d\d[ -]4\.(?:1\.[1-6]|2\.\d)\b/;

/** True while mails can go out, as things are set now. */
export function mailIsSetUp(options: OptionStore): boolean {
  if (options.text("SMTPServer") === "") return false;
  const [hasAccount, hasPassword] = [options.text("SMTPAccount") !== "", options.secret("SMTPToken") !== ""];
  // Relays inside a network often ask for no login; then nothing but the sender says who the mails are from.
  return hasAccount === hasPassword && (hasAccount || options.text("SMTPFrom") !== "");
}

/** Who mails are from: what is set, whatever form it was stored in. */
function senderOf(options: OptionStore): MailSender {
  const from = options.text("SMTPFrom") || options.text("SMTPAccount");
  const { name, address } = readMailSender(from) ?? { name: "", address: from };
  return { name: name || options.text("SystemName"), address };
}

/** Builds the mailer; it reads the settings for each mail. */
export function createMailer(options: OptionStore): Mailer {
  const isSetUp = () => mailIsSetUp(options);
  const checkIsSetUp = () => {
    if (isSetUp()) return;
    throw new AppError(
      "mail-not-set-up",
      "Mail is not set up. An administrator has to set SMTPServer, SMTPPort, SMTPAccount, SMTPFrom and SMTPToken in the system settings; a server that asks for no login needs SMTPFrom in their place.",
    );
  };
  return {
    isSetUp,
    checkIsSetUp,
    async send({ to, message, id }) {
      checkIsSetUp();
      const from = senderOf(options);
      const transport = await createTransport(options);
      try {
        await transport.sendMail({
          from: { ...from },
          // An address as an object is one address, whatever characters it has.
          to: { name: "", address: to },
          subject: oneLine(message.subject),
          text: mailText(message),
          html: mailHtml(message),
          // No holiday answers to a machine (RFC 3834, 5).
          headers: { "Auto-Submitted": "auto-generated", "Content-Language": message.language },
          ...(id === undefined ? {} : { messageId: `<${id}@${from.address.split("@").at(-1) ?? "one-api"}>` }),
        });
      } catch (error) {
        throw failureOf(error);
      } finally {
        transport.close();
      }
    },
  };
}

/** The library is loaded with the first mail: a server may never send one. */
async function createTransport(options: OptionStore) {
  const { createTransport: create } = await import("nodemailer");
  const [host, port] = [options.text("SMTPServer"), options.number("SMTPPort")];
  const user = options.text("SMTPAccount");
  return create({
    host,
    port,
    secure: port === TLS_PORT,
    ...(user === "" ? {} : { auth: { user, pass: options.secret("SMTPToken") } }),
    getSocket: (_options, callback) => {
      connectMailServer(host, port, { timeoutMs: TIMEOUT_MS, lifetimeMs: LIFETIME_MS }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, undefined),
      );
    },
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The refusal as its readers get it. */
function failureOf(error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasonOf(error, code);
  const isOfMail = code === "EENVELOPE" || code === "EMESSAGE";
  const Failure = isOfMail ? kindOf(error) : AppError;
  return new Failure("mail-failed", `The mail could not be sent: ${reason}`, { values: { reason } });
}

/** What the server's answer to the mail itself or to an address says; it is final from 500 on (RFC 5321, 4.2.1). */
function kindOf(error: unknown): typeof AppError {
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  if (status >= 500) return MailRefusedError;
  const said = error instanceof Error && "response" in error ? String(error.response) : "";
  return DELAYED.test(said) ? MailDelayedError : AppError;
}

/** One line, without what a mail server may repeat of the login. */
function reasonOf(error: unknown, code: string): string {
  if (code === "EAUTH") return "the mail server refuses SMTPAccount and SMTPToken";
  return oneLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

import { type MailSender, readMailSender } from "@one-api/contract/accounts/mail-sender";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type MailMessage, mailHtml, mailText, oneLine } from "./mail-message.ts";
import { connectMailServer } from "./connect-mail-server.ts";

const TIMEOUT_MS = 10_000;
const LIFETIME_MS = 60_000;
/** TLS from the start at this port; others use STARTTLS if the server offers it (RFC 8314, 3.3). */
const TLS_PORT = 465;

interface Mail {
  readonly to: string;
  readonly message: MailMessage;
  /** The same for each attempt, so that a mailbox can recognise a duplicate. */
  readonly id?: string;
}

export interface Mailer {
  isSetUp(): boolean;
  /** Throws `mail-not-set-up` if an option is missing. */
  checkIsSetUp(): void;
  /**
   * Resolves when the mail server has accepted the mail. Throws `mail-not-set-up` and `mail-failed`, the
   * latter as `MailRefusedError` if retries are useless and as `MailDelayedError` if other mails may succeed.
   */
  send(mail: Mail): Promise<void>;
}

/** The mail server permanently refuses the mail or its address. */
export class MailRefusedError extends AppError {}

/** The mail server cannot deliver to this address now, for example to a full mailbox. */
export class MailDelayedError extends AppError {}

/** Temporary failures of the recipient's address or mailbox (RFC 3463, 3.2 and 3.3). */
const DELAYED = /^4\d\d[ -]4\.(?:1\.[1-6]|2\.\d)\b/;

export function mailIsSetUp(options: OptionStore): boolean {
  if (options.text("SMTPServer") === "") return false;
  const [hasAccount, hasPassword] = [options.text("SMTPAccount") !== "", options.secret("SMTPToken") !== ""];
  // Relays without login need a sender address instead.
  return hasAccount === hasPassword && (hasAccount || options.text("SMTPFrom") !== "");
}

function senderOf(options: OptionStore): MailSender {
  const from = options.text("SMTPFrom") || options.text("SMTPAccount");
  const { name, address } = readMailSender(from) ?? { name: "", address: from };
  return { name: name || options.text("SystemName"), address };
}

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
          // As an object it is one address, also with commas.
          to: { name: "", address: to },
          subject: oneLine(message.subject),
          text: mailText(message),
          html: mailHtml(message),
          // Prevents automatic replies (RFC 3834, 5).
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

/** Loaded with the first mail, as many servers send none. */
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

function failureOf(error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasonOf(error, code);
  const isOfMail = code === "EENVELOPE" || code === "EMESSAGE";
  const Failure = isOfMail ? kindOf(error) : AppError;
  return new Failure("mail-failed", `The mail could not be sent: ${reason}`, { values: { reason } });
}

function kindOf(error: unknown): typeof AppError {
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  if (status >= 500) return MailRefusedError;
  const said = error instanceof Error && "response" in error ? String(error.response) : "";
  return DELAYED.test(said) ? MailDelayedError : AppError;
}

/** One line without credentials that the mail server may repeat. */
function reasonOf(error: unknown, code: string): string {
  if (code === "EAUTH") return "the mail server refuses SMTPAccount and SMTPToken";
  return oneLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

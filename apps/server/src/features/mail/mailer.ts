import nodemailer from "nodemailer";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";

const TIMEOUT_MS = 10_000;
/** From this port on TLS comes first; on others STARTTLS is used where the server offers it (RFC 8314, 3.3). */
const TLS_PORT = 465;

/** One mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; paragraphs are apart by an empty line. */
  readonly text: string;
}

/** Sends mails with the SMTP settings in force. */
export interface Mailer {
  /** Throws `mail-not-set-up` while a setting is missing. */
  checkIsSetUp(): void;
  /** Resolves when the mail server has taken the mail. Throws `mail-not-set-up` and `mail-failed`. */
  send(mail: Mail): Promise<void>;
}

/** Builds the mailer; it reads the settings for each mail. */
export function createMailer(options: OptionStore): Mailer {
  const checkIsSetUp = () => {
    if (options.text("SMTPServer") !== "" && options.text("SMTPAccount") !== "" && options.secret("SMTPToken") !== "")
      return;
    throw new AppError(
      "mail-not-set-up",
      "Mail is not set up. An administrator has to set SMTPServer, SMTPPort, SMTPAccount, SMTPFrom and SMTPToken in the system settings.",
    );
  };
  return {
    checkIsSetUp,
    async send({ to, subject, text }) {
      checkIsSetUp();
      const from = {
        name: options.text("SystemName"),
        address: options.text("SMTPFrom") || options.text("SMTPAccount"),
      };
      const transport = createTransport(options);
      try {
        // An address as an object is one address, whatever characters it has.
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html: htmlOf(text) });
      } catch (error) {
        throw new AppError("mail-failed", `The mail could not be sent: ${reasonOf(error)}`, {
          values: { reason: reasonOf(error) },
        });
      } finally {
        transport.close();
      }
    },
  };
}

function createTransport(options: OptionStore) {
  const port = options.number("SMTPPort");
  return nodemailer.createTransport({
    host: options.text("SMTPServer"),
    port,
    secure: port === TLS_PORT,
    auth: { user: options.text("SMTPAccount"), pass: options.secret("SMTPToken") },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** One line, without what a mail server may repeat of the login. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EAUTH") return "the mail server refuses SMTPAccount and SMTPToken";
  const reason = error instanceof Error ? error.message : String(error);
  return reason.replaceAll(/\p{Cc}+/gu, " ").slice(0, 200);
}

function htmlOf(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const linked = escaped.replaceAll(/https?:\/\/[^\s<>"]+/g, (address) => `<a href="${address}">${address}</a>`);
  const paragraphs = linked.split("\n\n").map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`);
  return `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">${paragraphs.join("")}</body></html>`;
}

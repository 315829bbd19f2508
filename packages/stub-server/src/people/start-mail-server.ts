import { once } from "node:events";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

interface ReceivedMail {
  readonly from: string;
  /** Address for bounces, from the SMTP envelope. */
  readonly envelopeFrom: string;
  /** Recipients of the SMTP envelope; the headers may name others. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Names in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

export interface MailServer {
  readonly port: number;
  readonly account: string;
  readonly password: string;
  readonly mails: readonly ReceivedMail[];
  /** Addresses without a mailbox. */
  readonly unknown: Set<string>;
  /** Addresses whose domain temporarily cannot be resolved. */
  readonly doubtful: Set<string>;
  /** Resolves with the first matching mail after `seen` mails to the address. Throws after minutes without one, and lists the received mails. */
  nextTo(address: string, seen?: number, kind?: RegExp): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Below a test's time limit, so that the error names the missing mail. */
const LONGEST_WAIT_MS = 150_000;

/** Starts a mail server with one account, without TLS; mails without a login are accepted. Default port: any. */
export async function startMailServer(port = 0, longestWaitMs = LONGEST_WAIT_MS): Promise<MailServer> {
  const [account, password] = ["gateway@mail.test", "mail-password"];
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const unknown = new Set<string>();
  const doubtful = new Set<string>();
  const server = createSmtpServer({
    isKnown: (username, given) => username === account && given === password,
    refusalOf: (recipient) => (unknown.has(recipient) ? UNKNOWN : doubtful.has(recipient) ? DOUBTFUL : null),
    took(mail) {
      mails.push(mail);
      for (const wake of waiting) wake();
    },
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return {
    port: address.port,
    account,
    password,
    mails,
    unknown,
    doubtful,
    async nextTo(recipient, seen = 0, kind = /^/) {
      const end = AbortSignal.timeout(longestWaitMs);
      for (;;) {
        const mail = mails
          .slice(seen)
          .find(({ recipients, text }) => recipients.includes(recipient) && kind.test(text));
        if (mail !== undefined) return mail;
        if (end.aborted) throw new Error(whyNone(mails, { recipient, seen, kind }));
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          end.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface SmtpAnswers {
  readonly isKnown: (username: unknown, password: unknown) => boolean;
  readonly refusalOf: (recipient: string) => Refusal | null;
  readonly took: (mail: ReceivedMail) => void;
}

interface Refusal {
  readonly text: string;
  readonly responseCode: number;
}

const UNKNOWN: Refusal = { text: "5.1.1 no such user", responseCode: 550 };
const DOUBTFUL: Refusal = { text: "4.1.2 domain not found", responseCode: 450 };

function createSmtpServer({ isKnown, refusalOf, took }: SmtpAnswers): SMTPServer {
  return new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (isKnown(username, password)) done(null, { user: username });
      else done(new Error("wrong account"));
    },
    onRcptTo({ address: recipient }, _session, done) {
      const refusal = refusalOf(recipient);
      if (refusal === null) return done();
      return done(Object.assign(new Error(refusal.text), { responseCode: refusal.responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const envelopeFrom = mailFrom === false ? "" : mailFrom.address;
        void readMail(
          Buffer.concat(chunks),
          rcptTo.map(({ address }) => address),
        ).then((mail) => {
          took({ ...mail, envelopeFrom });
          done();
        });
      });
    },
  });
}

function whyNone(
  mails: readonly ReceivedMail[],
  { recipient, seen, kind }: { readonly recipient: string; readonly seen: number; readonly kind: RegExp },
): string {
  const came = mails.map(({ recipients, subject }, index) => `${index}: to ${recipients.join(", ")}, "${subject}"`);
  return `No mail to ${recipient} came after ${seen} mails that matches ${kind}. All that came: ${came.join("; ") || "none"}.`;
}

async function readMail(raw: Buffer, recipients: readonly string[]): Promise<Omit<ReceivedMail, "envelopeFrom">> {
  const { from, subject = "", text = "", html = "", headers } = await PostalMime.parse(raw);
  return { from: from?.address ?? "", recipients, subject, text, html, headers };
}

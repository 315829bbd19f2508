import { once } from "node:events";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail as it arrived. */
interface ReceivedMail {
  readonly from: string;
  /** The address that a mail would come back to, as the sender says before the mail. */
  readonly envelopeFrom: string;
  /** Everybody it was delivered to, whatever its headers say. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** All headers, names in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

/** A mail server on the loopback address that keeps what it gets. */
export interface MailServer {
  readonly port: number;
  readonly account: string;
  readonly password: string;
  readonly mails: readonly ReceivedMail[];
  /** Addresses that it knows nobody at. */
  readonly unknown: Set<string>;
  /** Addresses whose domain it cannot find now. */
  readonly doubtful: Set<string>;
  /**
   * Resolves with the first mail to the address that came after `seen` mails and whose text is of that kind: others may be under way. Throws
   * when none comes for minutes, and says what came instead.
   */
  nextTo(address: string, seen?: number, kind?: RegExp): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Less than a test may take, so that its end says which mail did not come. */
const LONGEST_WAIT_MS = 150_000;

/** Starts a mail server that knows one account, and takes mails of who gives none, without TLS; on that port, else on any. */
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

import type { ReceiverKind } from "@one-api/contract/notifications/notification-constants";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { fetchText, type TextAnswer } from "../../platform/network/fetch-text.ts";
import { alertMessage, alertText } from "../alerts/index.ts";
import { type Mailer, oneLine, testMail } from "../mail/index.ts";
import type { StoredDelivery } from "./delivery.repository.ts";
import type { StoredReceiver } from "./receiver.repository.ts";
import type { Notice, OutgoingRequest, Target } from "./senders/sender.ts";
import { SENDERS } from "./senders/senders.ts";

const TIMEOUT_MS = 10_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const LONGEST_CAUSE = 200;
/** Shorter parts of an address are no secrets. */
const LEAST_SECRET = 8;

type PostNotice = (request: OutgoingRequest) => Promise<Pick<TextAnswer, "status" | "text">>;

export interface SendDeps {
  readonly options: OptionStore;
  readonly secrets: Secrets;
  readonly mailer: Mailer;
  readonly post: PostNotice;
}

/** Follows no redirect. */
export const postNotice: PostNotice = ({ url, headers, body }) =>
  fetchText(url, { method: "POST", headers, body, mostBytes: MOST_ANSWER_BYTES, timeoutMs: TIMEOUT_MS });

/** Sends the delivery at `now`. Returns the cause of a failure in one line, without secrets; undefined for success. */
export async function sendNotice(
  deps: SendDeps,
  receiver: StoredReceiver,
  delivery: StoredDelivery,
  now: number,
): Promise<string | undefined> {
  let hide = (cause: string) => cause;
  try {
    const target = openTarget(deps.secrets, receiver);
    hide = (cause) => hideSecrets(cause, target);
    const notice = noticeOf(deps.options, receiver, delivery);
    const refusal = await send(deps, { kind: receiver.kind, target }, notice, now);
    return refusal === undefined ? undefined : causeOf(hide(refusal));
  } catch (error) {
    return causeOf(hide(error instanceof Error ? error.message : String(error)));
  }
}

function causeOf(text: string): string {
  return oneLine(text).slice(0, LONGEST_CAUSE) || "unknown";
}

async function send(
  { mailer, post }: SendDeps,
  { kind, target }: { readonly kind: ReceiverKind; readonly target: Target },
  notice: Notice,
  now: number,
): Promise<string | undefined> {
  if (kind === "mail") {
    await mailer.send({ to: target.address, message: notice.messageWith(notice.alerts.length), id: notice.id });
    return undefined;
  }
  const sender = SENDERS[kind];
  const { status, text } = await post(sender.toRequest(notice, target, now));
  if (status < 200 || status > 299) return `HTTP ${status} ${text}`;
  return sender.refusalIn?.(readJson(text));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The answer is no JSON: ${text}`);
  }
}

/** Throws SecretError. */
export function openTarget(secrets: Secrets, { id, name, addressCipher, secretCipher }: StoredReceiver): Target {
  const place = placeOf("alert_receivers", id, name);
  return {
    address: secrets.open("receiver-address", addressCipher, place),
    secret: secretCipher === "" ? "" : secrets.open("receiver-secret", secretCipher, place),
  };
}

function noticeOf(options: OptionStore, { language }: StoredReceiver, delivery: StoredDelivery): Notice {
  const { id, createdAt, alerts, count } = delivery;
  return {
    id: `alert_${id}_${createdAt}`,
    createdAt,
    count,
    alerts: alerts.map(({ at, alert }) => {
      const { kind, ...facts } = alert;
      return { kind, at, text: alertText(alert, language), facts };
    }),
    messageWith: (mostAlerts) =>
      count === 0
        ? testMail(options.text("SystemName"), language)
        : alertMessage(options, { alerts, count }, language, mostAlerts),
  };
}

/** Removes what an answer may repeat: the secret, and path and query of the address. */
function hideSecrets(cause: string, { address, secret }: Target): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const parts = url === undefined ? [] : [...url.pathname.split("/"), ...url.searchParams.values()];
  const hidden = [secret, ...parts].filter((part) => part.length >= LEAST_SECRET);
  return hidden.reduce((text, part) => text.replaceAll(part, "***"), cause);
}

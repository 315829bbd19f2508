import { createHash } from "node:crypto";
import { effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { SeenCertificate, SeenCertificates } from "../../platform/network/seen-certificates.ts";
import { queueAlert, raiseAlertState } from "../alerts/index.ts";
import { levelOf, markOfCertificate } from "./expiry-marks.ts";
import { listChannelAddresses } from "./expiry.repository.ts";

const DAY_SECONDS = 86_400;

/** A host that no request has reached for this time is not reported. */
const UNSEEN_SECONDS = 7 * DAY_SECONDS;

/**
 * Servers of one host may have several certificates, so a renewal does not end a report. It expires after the last mark
 * of its certificate.
 */
const AGAIN_AFTER_SECONDS = 21 * DAY_SECONDS;

const ID_DIGITS = 12;
const MOST_CHANNELS = 5;

interface CertificateDeps extends Pick<CallContext, "database" | "clock"> {
  readonly commonProxy: () => string;
  readonly certificates: Pick<SeenCertificates, "list">;
}

/**
 * Queues an alert, once each, for a host whose certificate ends in 14 or 3 days or has ended. Certificates are those of
 * this server's last TLS handshakes. Returns the number of alerts.
 */
export async function alertExpiringCertificates(deps: CertificateDeps): Promise<number> {
  const { database, clock, commonProxy, certificates } = deps;
  const now = nowSeconds(clock);
  const due = certificates
    .list()
    .filter((seen) => seen.seenAt > now - UNSEEN_SECONDS && markOfCertificate(seen, now) !== undefined);
  if (due.length === 0) return 0;
  const channelsOf = await readHosts(database.db, commonProxy());
  let alerts = 0;
  for (const seen of due) {
    const channels = channelsOf.get(seen.host);
    if (channels !== undefined && (await alertCertificate(deps, seen, channels))) alerts += 1;
  }
  return alerts;
}

async function readHosts(queryable: Queryable, commonProxy: string): Promise<Map<string, string[]>> {
  const hosts = new Map<string, string[]>();
  const add = (address: string, name?: string) => {
    if (!URL.canParse(address)) return;
    const host = new URL(address).hostname.replaceAll(/^\[|\]$/g, "");
    const names = hosts.get(host) ?? [];
    hosts.set(host, name === undefined || names.includes(name) ? names : [...names, name]);
  };
  add(commonProxy);
  for (const { name, type, base_url, proxy } of await listChannelAddresses(queryable)) {
    add(effectiveBaseUrl(type, base_url), name);
    add(proxy, name);
  }
  return hosts;
}

/** Of several servers, one queues the alert. */
function alertCertificate(
  { database, clock }: CertificateDeps,
  seen: SeenCertificate,
  channels: readonly string[],
): Promise<boolean> {
  const at = nowSeconds(clock);
  const { host, expiresAt: until } = seen;
  const days = markOfCertificate(seen, at);
  if (days === undefined) return Promise.resolve(false);
  const id = Number.parseInt(createHash("sha256").update(host).digest("hex").slice(0, ID_DIGITS), 16);
  const state = { kind: "certificate", id, level: levelOf(days), at } as const;
  const more = channels.length - MOST_CHANNELS;
  const names = [...channels.slice(0, MOST_CHANNELS), ...(more > 0 ? [`+${more}`] : [])];
  return inTransaction(database, async (transaction) => {
    if (!(await raiseAlertState(transaction, state, AGAIN_AFTER_SECONDS))) return false;
    await queueAlert(transaction, { kind: "certificate-expiring", host, until, days, channels: names }, at);
    return true;
  });
}

import { channelTypeInfo, effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { SeenCertificate, SeenCertificates } from "../../platform/network/seen-certificates.ts";
import { readDialectUrls } from "../channels/index.ts";
import { idOfName, queueAlert, raiseAlertState } from "../alerts/index.ts";
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

const MOST_CHANNELS = 5;

interface CertificateDeps extends Pick<CallContext, "database" | "clock"> {
  readonly commonProxy: () => string;
  readonly certificates: Pick<SeenCertificates, "list">;
  /** Addresses of a channel whose keys name a region; none of other channels. */
  readonly regionalAddresses: (channelId: number) => Promise<readonly string[]>;
}

/**
 * Queues an alert, once each, for a host whose certificate, of the last TLS handshake, ends in 14 or 3 days or has ended. Returns their number.
 */
export async function alertExpiringCertificates(deps: CertificateDeps): Promise<number> {
  const { clock, certificates } = deps;
  const now = nowSeconds(clock);
  const due = certificates
    .list()
    .filter((seen) => seen.seenAt > now - UNSEEN_SECONDS && markOfCertificate(seen, now) !== undefined);
  if (due.length === 0) return 0;
  const channelsOf = await readHosts(deps);
  let alerts = 0;
  for (const seen of due) {
    const channels = channelsOf.get(seen.host);
    if (channels !== undefined && (await alertCertificate(deps, seen, channels))) alerts += 1;
  }
  return alerts;
}

/** Names of channels by the host of their addresses or proxy. The host of the common proxy has none of its own. */
async function readHosts({
  database,
  commonProxy,
  regionalAddresses,
}: CertificateDeps): Promise<Map<string, string[]>> {
  const hosts = new Map<string, string[]>();
  const add = (address: string, name?: string) => {
    if (!URL.canParse(address)) return;
    const host = new URL(address).hostname.replaceAll(/^\[|\]$/g, "");
    const names = hosts.get(host) ?? [];
    hosts.set(host, name === undefined || names.includes(name) ? names : [...names, name]);
  };
  add(commonProxy());
  for (const { id, name, type, base_url, dialect_urls, proxy } of await listChannelAddresses(database.db)) {
    add(effectiveBaseUrl(type, base_url), name);
    for (const address of Object.values(readDialectUrls(dialect_urls))) add(address ?? "", name);
    if (base_url === "" && channelTypeInfo(type)?.regions !== undefined)
      for (const address of await regionalAddresses(id)) add(address, name);
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
  const state = { kind: "certificate", id: idOfName(host), level: levelOf(days), at } as const;
  const more = channels.length - MOST_CHANNELS;
  const names = [...channels.slice(0, MOST_CHANNELS), ...(more > 0 ? [`+${more}`] : [])];
  return inTransaction(database, async (transaction) => {
    if (!(await raiseAlertState(transaction, state, AGAIN_AFTER_SECONDS))) return false;
    await queueAlert(transaction, { kind: "certificate-expiring", host, until, days, channels: names }, at);
    return true;
  });
}

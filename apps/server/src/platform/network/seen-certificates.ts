import { checkServerIdentity, type PeerCertificate } from "node:tls";

export interface SeenCertificate {
  readonly host: string;
  readonly validFrom: number;
  readonly expiresAt: number;
  readonly seenAt: number;
}

const MOST_HOSTS = 1_000;

/** The newest certificate of each host that this server has made a TLS handshake with, in memory. */
export class SeenCertificates {
  readonly #byHost = new Map<string, SeenCertificate>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  note(host: string, { valid_from, valid_to }: Pick<PeerCertificate, "valid_from" | "valid_to">): void {
    const [validFrom, expiresAt] = [Date.parse(valid_from) / 1_000, Date.parse(valid_to) / 1_000];
    if (Number.isNaN(validFrom) || Number.isNaN(expiresAt)) return;
    // The host that was seen least recently makes room.
    const [oldest] = this.#byHost.keys();
    if (!this.#byHost.delete(host) && this.#byHost.size >= MOST_HOSTS && oldest !== undefined)
      this.#byHost.delete(oldest);
    this.#byHost.set(host, { host, validFrom, expiresAt, seenAt: Math.floor(this.#nowMs() / 1_000) });
  }

  list(): readonly SeenCertificate[] {
    return [...this.#byHost.values()];
  }
}

export const seenCertificates = new SeenCertificates(() => Date.now());

/** Node's check of a certificate's names in a TLS handshake, which remembers those that pass. */
export function checkAndNoteCertificate(host: string, certificate: PeerCertificate): Error | undefined {
  const problem = checkServerIdentity(host, certificate);
  if (problem === undefined) seenCertificates.note(host, certificate);
  return problem;
}

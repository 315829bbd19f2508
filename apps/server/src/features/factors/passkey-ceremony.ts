import { randomBytes } from "node:crypto";
import type { NewPasskey, PasskeyAnswer } from "@one-api/contract/accounts/factor";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { findPasskey, type PasskeyRow, touchPasskey } from "./factor.repository.ts";

// Loaded on first use: its certificate parsers take 30 MB and half a second.
const loadWebAuthn = () => import("@simplewebauthn/server");

const CHALLENGE_BYTES = 32;
const LOCAL_NAME = "localhost";

/** Domain of the passkeys and the only page origin that may request them (WebAuthn, 5.1.2 and 13.4.9). */
export interface RelyingParty {
  readonly domain: string;
  readonly origin: string;
}

/**
 * The relying party from ServerAddress alone, as the Host header is not trusted. Without an address, passkeys
 * work at `localhost`.
 * Throws `server-address-missing`.
 */
export function relyingPartyOf(options: OptionStore, host: string): RelyingParty {
  const address = options.text("ServerAddress");
  if (address !== "") {
    const { hostname, origin } = new URL(address);
    return { domain: hostname, origin };
  }
  const here = `http://${host}`;
  if (URL.canParse(here) && new URL(here).hostname === LOCAL_NAME)
    return { domain: LOCAL_NAME, origin: new URL(here).origin };
  throw new AppError("server-address-missing", "Passkeys belong to an address: set ServerAddress first.");
}

export function newChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString("base64url");
}

interface Expectation {
  readonly challenge: string;
  readonly party: RelyingParty;
}

/** Verifies the browser's answer and returns the passkey's columns. Throws `passkey-refused`. */
export async function readNewPasskey(
  { id, client_data, attestation }: Omit<NewPasskey, "name">,
  { challenge, party }: Expectation,
): Promise<Pick<PasskeyRow, "credential_id" | "public_key" | "counter">> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const checked = verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: client_data, attestationObject: attestation },
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.domain,
    requireUserVerification: true,
  });
  const { registrationInfo } = await checked.catch(refuse);
  if (registrationInfo === undefined) return refuse();
  const { credential } = registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
  };
}

/**
 * Verifies the answer, records the use and returns the passkey. A counter that does not increase reveals a
 * copied key.
 * Throws `passkey-unknown` and `passkey-refused`.
 */
export async function takePasskey(
  { database: { db }, clock }: CallContext,
  answer: PasskeyAnswer,
  { challenge, party }: Expectation,
): Promise<PasskeyRow> {
  const passkey = await findPasskey(db, answer.id);
  if (passkey === undefined)
    throw new AppError("passkey-unknown", "This passkey belongs to no account here, or was removed.");
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const checked = verifyAuthenticationResponse({
    response: {
      id: answer.id,
      rawId: answer.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: answer.client_data,
        authenticatorData: answer.authenticator_data,
        signature: answer.signature,
      },
    },
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
      counter: passkey.counter,
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.domain,
    requireUserVerification: true,
  });
  const { verified, authenticationInfo } = await checked.catch(refuse);
  if (!verified) refuse();
  const use = { counter: authenticationInfo.newCounter, at: nowSeconds(clock) };
  if (!(await touchPasskey(db, passkey, use))) refuse();
  return passkey;
}

/** The library's many reasons do not help the user. */
function refuse(): never {
  throw new AppError("passkey-refused", "The passkey's answer was not accepted. Try again, or take another way.");
}

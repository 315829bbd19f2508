import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyAnswer } from "@one-api/contract/accounts/factor";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** A request to the authenticator, with options for invalid answers. */
interface Ask {
  readonly challenge: string;
  readonly domain: string;
  /** Origin of the page; that of the domain by default. */
  readonly origin?: string;
  /** User verification by finger or PIN; true by default. */
  readonly isVerified?: boolean;
  /** Signature counter; increments by default. */
  readonly count?: number;
}

/** An authenticator with one passkey (ES256, no attestation). */
export interface TestAuthenticator {
  make(ask: Ask): { id: string; client_data: string; attestation: string };
  answer(ask: Ask): PasskeyAnswer;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const AAGUID_BYTES = 16;
const ID_BYTES = 32;

export function createTestAuthenticator(): TestAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(ID_BYTES);
  let made = 0;

  const authenticatorData = ({ domain, isVerified = true, count = (made += 1) }: Ask, credential: Buffer) => {
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(domain), head, credential]);
  };
  const credentialData = () => {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y.
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ]);
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(ID_BYTES);
    return Buffer.concat([Buffer.alloc(AAGUID_BYTES), idLength, id, isoCBOR.encode(key)]);
  };
  return {
    make(ask) {
      const authData = new Uint8Array(authenticatorData({ count: 0, ...ask }, credentialData()));
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, never>()],
          ["authData", authData],
        ]),
      );
      return {
        id: id.toString("base64url"),
        client_data: clientData("webauthn.create", ask).toString("base64url"),
        attestation: Buffer.from(attestation).toString("base64url"),
      };
    },
    answer(ask) {
      const authData = authenticatorData(ask, Buffer.alloc(0));
      const client = clientData("webauthn.get", ask);
      const signed = Buffer.concat([authData, createHash("sha256").update(client).digest()]);
      return {
        id: id.toString("base64url"),
        client_data: client.toString("base64url"),
        authenticator_data: authData.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      };
    },
  };
}

function clientData(type: string, { challenge, domain, origin = `https://${domain}` }: Ask): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

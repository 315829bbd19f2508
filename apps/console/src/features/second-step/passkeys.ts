import type { NewPasskey, PasskeyAnswer, PasskeyQuestion } from "@one-api/contract/accounts/factor";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { callApi } from "../../lib/api/api-client.ts";
import { loadTexts, t } from "../../lib/i18n/i18n.ts";
import { loadChunk } from "../../lib/load-chunk.ts";
import { toastInfo } from "../../lib/toasts/toasts.ts";

/** ES256, EdDSA and RS256: what the server's library checks and every authenticator knows one of (IANA COSE Algorithms). */
const ALGORITHMS = [-7, -8, -257];

const loadCeremonies = () => loadChunk(() => import("@simplewebauthn/browser"));

/** Returns undefined if the person or the browser cancels the ceremony, with a message and no error. */
async function unlessCancelled<Answer>(ceremony: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name !== "NotAllowedError" && name !== "AbortError" && name !== "InvalidStateError") throw error;
    await loadTexts(["security"]);
    toastInfo(t(name === "InvalidStateError" ? "security:passkeys.known" : "security:passkeys.cancelled"));
    return undefined;
  }
}

/** Requests a signature by one of the user's passkeys; undefined if the user cancels. */
export function askPasskey({ challenge, domain, allowed }: PasskeyQuestion): Promise<PasskeyAnswer | undefined> {
  const allowCredentials = allowed.map((id) => ({ id, type: "public-key" as const }));
  return unlessCancelled(async () => {
    const optionsJSON = { challenge, rpId: domain, allowCredentials, userVerification: "required" as const };
    const { startAuthentication } = await loadCeremonies();
    const { id, response } = await startAuthentication({ optionsJSON });
    return {
      id,
      client_data: response.clientDataJSON,
      authenticator_data: response.authenticatorData,
      signature: response.signature,
    };
  });
}

interface PasskeyRequest {
  readonly challenge: string;
  readonly domain: string;
  readonly system_name: string;
  readonly user_handle: string;
  readonly username: string;
  readonly display_name: string;
  readonly known: readonly string[];
}

/** Creates a passkey; undefined if the user cancels. */
export function makePasskey(request: PasskeyRequest): Promise<Omit<NewPasskey, "name"> | undefined> {
  const optionsJSON = {
    challenge: request.challenge,
    rp: { id: request.domain, name: request.system_name },
    user: { id: request.user_handle, name: request.username, displayName: request.display_name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
    excludeCredentials: request.known.map((id) => ({ id, type: "public-key" as const })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    } as const,
    attestation: "none" as const,
  };
  return unlessCancelled(async () => {
    const { startRegistration } = await loadCeremonies();
    const { id, response } = await startRegistration({ optionsJSON });
    return { id, client_data: response.clientDataJSON, attestation: response.attestationObject };
  });
}

/** Logs in by a passkey, or completes the second step with it; undefined if the user cancels. */
export async function enterWithPasskey(isSecondStep: boolean): Promise<SessionUser | undefined> {
  const answer = await askPasskey(
    await callApi("POST /api/user/login/passkey/begin", { body: { is_second_step: isSecondStep } }),
  );
  return answer && callApi("POST /api/user/login/passkey", { body: answer });
}

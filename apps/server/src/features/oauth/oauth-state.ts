import { randomBytes } from "node:crypto";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import { lookupOfInvitation } from "../invitations/index.ts";

const STATE_SECONDS = 600;
const ID_BYTES = 24;

interface OAuthPurpose {
  readonly provider: string;
  readonly invitation: string;
}

/** Creates a state for one login (RFC 6749, 10.12). It is valid once, for this browser, this user and this provider. */
export async function createOAuthState(
  context: CallContext,
  browser: SessionCookie,
  { provider, invitation }: OAuthPurpose,
): Promise<string> {
  const now = nowSeconds(context.clock);
  const state = randomBytes(ID_BYTES).toString("base64url");
  const browserId = browser.value ?? randomBytes(ID_BYTES).toString("base64url");
  const { db } = context.database;
  await db.deleteFrom("oauth_states").where("expires_at", "<=", now).execute();
  await db
    .insertInto("oauth_states")
    .values({
      state_hash: fingerprint(state),
      browser_hash: fingerprint(browserId),
      user_id: context.actor?.id ?? 0,
      provider,
      invitation_hmac: lookupOfInvitation(context, invitation),
      expires_at: now + STATE_SECONDS,
    })
    .execute();
  browser.set(browserId, STATE_SECONDS);
  return state;
}

/**
 * Consumes a state of this browser and user, which prevents login CSRF. Returns the lookup value of its
 * invitation.
 * Throws `oauth-state-wrong`.
 */
export async function consumeOAuthState(
  context: CallContext,
  browser: SessionCookie,
  state: string,
  providers: readonly string[],
): Promise<string> {
  const row = await context.database.db
    .deleteFrom("oauth_states")
    .where("state_hash", "=", fingerprint(state))
    .where("browser_hash", "=", fingerprint(browser.value ?? ""))
    .where("user_id", "=", context.actor?.id ?? 0)
    .where("provider", "in", providers)
    .where("expires_at", ">", nowSeconds(context.clock))
    .returning("invitation_hmac")
    .executeTakeFirst();
  if (row !== undefined) return row.invitation_hmac;
  throw new AppError("oauth-state-wrong", "This login was not begun here, was used or took too long. Begin it again.");
}

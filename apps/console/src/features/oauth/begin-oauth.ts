import { consoleAddress } from "../../lib/base-path.ts";
import type { OAuthProvider } from "@one-api/contract/accounts/oauth";
import { callApi } from "../../lib/api/api-client.ts";
import type { StoredStatus } from "../../lib/state/stored-status.ts";
import { showError } from "../../lib/api/show-error.ts";
import { webAddress } from "../../lib/values/web-address.ts";

const GITHUB_ADDRESS = "https://github.com";
const LARK_ADDRESS = "https://open.feishu.cn";

export type RedirectProvider = OAuthProvider | "oidc";

interface Beginning {
  status: StoredStatus;
  /** The code of an invitation, for the case that somebody signs up; empty for none. */
  invitation: string;
}

/**
 * Returns the provider's page; empty if the server gives no state. Only the server knows an OpenID Connect provider's
 * page.
 */
async function authorizeAddress(provider: RedirectProvider, { status, invitation }: Beginning): Promise<string> {
  if (provider === "oidc") return callApi("POST /api/oauth/oidc/begin", { body: { invitation } });
  const state = await callApi("GET /api/oauth/state", { query: { provider, invitation } });
  if (state === "") return "";
  if (provider === "github") {
    const query = new URLSearchParams({ client_id: status.github_client_id, state, scope: "user:email" });
    return `${status.github_address || GITHUB_ADDRESS}/login/oauth/authorize?${query.toString()}`;
  }
  const redirect = `${status.server_address || consoleAddress()}/oauth/lark`;
  const query = new URLSearchParams({ redirect_uri: redirect, app_id: status.lark_client_id, state });
  return `${status.lark_address || LARK_ADDRESS}/open-apis/authen/v1/index?${query.toString()}`;
}

/** Opens the provider's authorize page in a new window, with a state of this browser; without one nothing opens. */
export async function beginOAuth(provider: RedirectProvider, beginning: Beginning): Promise<void> {
  // A window that opens after an answer came would be taken for a pop-up and blocked.
  const opened = window.open("", "_blank");
  try {
    const address = webAddress(await authorizeAddress(provider, beginning));
    if (address === undefined) return opened?.close();
    if (opened === null) window.location.assign(address);
    else opened.location.replace(address);
  } catch (error) {
    opened?.close();
    showError(error);
  }
}

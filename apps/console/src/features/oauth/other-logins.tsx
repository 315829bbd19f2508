import { lazyPart } from "../../lib/loading/later-part.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";

const OtherLoginButtons = lazyPart(() => import("./other-login-buttons.tsx"));

/** The ways to log in beside the password that this system has switched on; each signs up too, where that is open or `invitation` opens it. */
export function OtherLogins({ invitation = "" }: { invitation?: string }) {
  const { github_oauth: github, wechat_login: wechat, lark_client_id: lark, oidc_login: oidc } = useStoredStatus();
  const isAnyOn = github || wechat || lark !== "" || oidc;
  return isAnyOn && <OtherLoginButtons invitation={invitation} />;
}

import { lazyPart } from "../../lib/loading/later-part.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";

const OtherLoginButtons = lazyPart(() => import("./other-login-buttons.tsx"));

/** Sign-in methods beside the password. Each also signs up, if registration or `invitation` allows it. */
export function OtherLogins({ invitation = "" }: { invitation?: string }) {
  const { github_oauth: github, wechat_login: wechat, lark_client_id: lark, oidc_login: oidc } = useStoredStatus();
  const isAnyOn = github || wechat || lark !== "" || oidc;
  return isAnyOn && <OtherLoginButtons invitation={invitation} />;
}

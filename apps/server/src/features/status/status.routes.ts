import { DEFAULT_LOGO, DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import {
  type PublicStatus,
  getAbout,
  getHomePageContent,
  getLatestRelease,
  getNotice,
  getStatus,
} from "@one-api/contract/status";
import type { OptionStore } from "../../core/option-store.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { mailIsSetUp } from "../mail/index.ts";
import { checkUpdate } from "./check-update.ts";

export function registerStatusCalls(registry: CallRegistry, options: OptionStore, facts: ServerFacts): void {
  registry.register(getStatus, async () => presentStatus(options, facts));
  registry.register(getNotice, async () => options.text("Notice"));
  registry.register(getAbout, async () => options.text("About"));
  registry.register(getHomePageContent, async () => options.text("HomePageContent"));
  registry.register(getLatestRelease, () => checkUpdate(options, facts.version));
}

export interface ServerFacts {
  readonly version: string;
  readonly startedAt: number;
}

function presentStatus(options: OptionStore, facts: ServerFacts): PublicStatus {
  return {
    version: facts.version,
    start_time: facts.startedAt,
    email_verification: options.flag("EmailVerificationEnabled"),
    github_oauth: options.flag("GitHubOAuthEnabled"),
    github_client_id: options.text("GitHubClientId"),
    lark_client_id: options.text("LarkClientId"),
    wechat_login: options.flag("WeChatAuthEnabled"),
    wechat_qrcode: options.text("WeChatAccountQRCodeImageURL"),
    turnstile_check: options.flag("TurnstileCheckEnabled"),
    turnstile_site_key: options.text("TurnstileSiteKey"),
    system_name: options.text("SystemName") || DEFAULT_SYSTEM_NAME,
    logo: options.text("Logo") || DEFAULT_LOGO,
    footer_html: options.text("Footer"),
    theme: options.text("Theme"),
    server_address: options.text("ServerAddress"),
    top_up_link: options.text("TopUpLink"),
    chat_link: options.text("ChatLink"),
    chat_link_next_web: options.text("ChatLinkNextWeb"),
    chat_link_lobe: options.text("ChatLinkLobe"),
    github_address: options.text("GitHubAddress"),
    lark_address: options.text("LarkAddress"),
    turnstile_address: options.text("TurnstileAddress"),
    oidc_login: options.flag("OidcEnabled"),
    oidc_label: options.text("OidcButtonLabel") || OPTION_DEFINITIONS.OidcButtonLabel.default,
    invitation_required: options.flag("InvitationRequired"),
    register_enabled: options.flag("RegisterEnabled"),
    reset_enabled: options.flag("PasswordLoginEnabled") && options.text("ServerAddress") !== "" && mailIsSetUp(options),
    pricing_enabled: options.flag("PricingEnabled"),
    status_page_enabled: options.flag("StatusPageEnabled"),
    keep_bodies: options.flag("LogBodiesEnabled"),
    quota_per_unit: options.number("QuotaPerUnit"),
    display_in_currency: options.flag("DisplayInCurrencyEnabled"),
  };
}

import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { ROLE } from "@one-api/contract/accounts/roles";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { ViewPage } from "@one-api/contract/view";
import type { TextKey } from "../../lib/i18n/text-keys.ts";
import type { ViewFields } from "./view-queries.ts";

interface BuiltInView {
  readonly label: TextKey<"views">;
  readonly fields: ViewFields;
}

export const BUILT_IN_VIEWS: Readonly<Record<ViewPage, readonly BuiltInView[]>> = {
  logs: [
    { label: "builtIn.errors", fields: { result: "errors" } },
    { label: "builtIn.errorsToday", fields: { result: "errors", range: "day" } },
  ],
  channels: [
    { label: "builtIn.disabledByGateway", fields: { status: String(CHANNEL_STATUS.autoDisabled) } },
    { label: "builtIn.slowestFirst", fields: { sort: "-response_time" } },
  ],
  tokens: [
    { label: "builtIn.expired", fields: { status: String(TOKEN_STATUS.expired) } },
    { label: "builtIn.usedUp", fields: { status: String(TOKEN_STATUS.exhausted) } },
    { label: "builtIn.lastUsedFirst", fields: { sort: "-accessed_time" } },
  ],
  users: [
    { label: "builtIn.administrators", fields: { role: String(ROLE.admin) } },
    { label: "builtIn.banned", fields: { status: String(USER_STATUS.disabled) } },
    { label: "builtIn.mostSpentFirst", fields: { sort: "-used_quota" } },
  ],
  dashboard: [
    { label: "builtIn.spendByModel", fields: { split: "1", range: "month" } },
    { label: "builtIn.errorsOfDay", fields: { metric: "errors", range: "day" } },
  ],
  playground: [],
  redemptions: [
    { label: "builtIn.unused", fields: { status: String(REDEMPTION_STATUS.unused) } },
    { label: "builtIn.redeemedLast", fields: { status: String(REDEMPTION_STATUS.used), sort: "-redeemed_time" } },
  ],
};

import type * as binding from "./accounts/binding.ts";
import type * as factor from "./accounts/factor.ts";
import type * as invitation from "./accounts/invitation.ts";
import type * as managementKey from "./accounts/management-key.ts";
import type * as oauth from "./accounts/oauth.ts";
import type * as registration from "./accounts/registration.ts";
import type * as session from "./accounts/session.ts";
import type * as userManagement from "./accounts/user-management.ts";
import type * as user from "./accounts/user.ts";
import type * as audit from "./audit.ts";
import type { Call } from "./call.ts";
import type * as channelBulk from "./channels/channel-bulk.ts";
import type * as channelDecision from "./channels/channel-decision.ts";
import type * as channelEffect from "./channels/channel-effect.ts";
import type * as channelKeys from "./channels/channel-keys.ts";
import type * as channelMatrix from "./channels/channel-matrix.ts";
import type * as channelModels from "./channels/channel-models.ts";
import type * as channelShare from "./channels/channel-share.ts";
import type * as channelTests from "./channels/channel-tests.ts";
import type * as channelTraffic from "./usage/channel-traffic.ts";
import type * as channel from "./channels/channel.ts";
import type * as configuration from "./configuration/configuration.ts";
import type * as groupBudget from "./limits/group-budget.ts";
import type * as limitUse from "./limits/limit-use.ts";
import type * as logClearing from "./logs/log-clearing.ts";
import type * as logTotals from "./logs/log-totals.ts";
import type * as log from "./logs/log.ts";
import type * as alertRule from "./notifications/alert-rule.ts";
import type * as receiver from "./notifications/receiver.ts";
import type * as option from "./options/option.ts";
import type * as playground from "./playground.ts";
import type * as model from "./prices/model.ts";
import type * as priceList from "./prices/price-list.ts";
import type * as pricing from "./prices/pricing.ts";
import type * as redemption from "./redemption.ts";
import type * as status from "./status.ts";
import type * as system from "./system/system.ts";
import type * as token from "./token.ts";
import type * as availability from "./usage/availability.ts";
import type * as dashboard from "./usage/dashboard.ts";
import type * as userSpend from "./usage/user-spend.ts";
import type * as whatIf from "./usage/what-if.ts";
import type * as view from "./view.ts";

type Nouns =
  | typeof binding
  | typeof factor
  | typeof invitation
  | typeof managementKey
  | typeof oauth
  | typeof registration
  | typeof session
  | typeof userManagement
  | typeof user
  | typeof audit
  | typeof channelBulk
  | typeof channelDecision
  | typeof channelEffect
  | typeof channelKeys
  | typeof channelMatrix
  | typeof channelModels
  | typeof channelShare
  | typeof channelTraffic
  | typeof channelTests
  | typeof channel
  | typeof configuration
  | typeof groupBudget
  | typeof limitUse
  | typeof logClearing
  | typeof logTotals
  | typeof log
  | typeof option
  | typeof playground
  | typeof alertRule
  | typeof receiver
  | typeof model
  | typeof priceList
  | typeof pricing
  | typeof redemption
  | typeof status
  | typeof system
  | typeof token
  | typeof availability
  | typeof dashboard
  | typeof userSpend
  | typeof whatIf
  | typeof view;

type CallsOf<Noun> = Noun extends unknown ? Extract<Noun[keyof Noun], Call> : never;

/**
 * Types of all calls by address, for example `GET /api/token/`. A client that has these types alone loads no schema.
 */
export type CallsByAddress = { [Each in CallsOf<Nouns> as `${Each["method"]} ${Each["path"]}`]: Each };

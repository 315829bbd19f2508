import type about from "../../locales/en/about.json";
import type bulk from "../../locales/en/bulk.json";
import type budgets from "../../locales/en/budgets.json";
import type limits from "../../locales/en/limits.json";
import type channelBulk from "../../locales/en/channel-bulk.json";
import type channelEffect from "../../locales/en/channel-effect.json";
import type deletion from "../../locales/en/deletion.json";
import type channelForm from "../../locales/en/channel-form.json";
import type channelMatrix from "../../locales/en/channel-matrix.json";
import type channelPage from "../../locales/en/channel-page.json";
import type channelReasons from "../../locales/en/channel-reasons.json";
import type channelShares from "../../locales/en/channel-shares.json";
import type audit from "../../locales/en/audit.json";
import type channels from "../../locales/en/channels.json";
import type chat from "../../locales/en/chat.json";
import type common from "../../locales/en/common.json";
import type dashboard from "../../locales/en/dashboard.json";
import type home from "../../locales/en/home.json";
import type invitations from "../../locales/en/invitations.json";
import type login from "../../locales/en/login.json";
import type logs from "../../locales/en/logs.json";
import type managementKeys from "../../locales/en/management-keys.json";
import type notifications from "../../locales/en/notifications.json";
import type palette from "../../locales/en/palette.json";
import type playground from "../../locales/en/playground.json";
import type pricing from "../../locales/en/pricing.json";
import type profile from "../../locales/en/profile.json";
import type recipes from "../../locales/en/recipes.json";
import type redemptions from "../../locales/en/redemptions.json";
import type registration from "../../locales/en/registration.json";
import type refusals from "../../locales/en/refusals.json";
import type security from "../../locales/en/security.json";
import type settings from "../../locales/en/settings.json";
import type statusPage from "../../locales/en/status-page.json";
import type shell from "../../locales/en/shell.json";
import type system from "../../locales/en/system.json";
import type tokens from "../../locales/en/tokens.json";
import type shortcuts from "../../locales/en/shortcuts.json";
import type topup from "../../locales/en/topup.json";
import type userPage from "../../locales/en/user-page.json";
import type users from "../../locales/en/users.json";
import type whatIf from "../../locales/en/what-if.json";
import type views from "../../locales/en/views.json";

interface Texts {
  about: typeof about;
  bulk: typeof bulk;
  budgets: typeof budgets;
  limits: typeof limits;
  "channel-bulk": typeof channelBulk;
  "channel-effect": typeof channelEffect;
  deletion: typeof deletion;
  "channel-form": typeof channelForm;
  "channel-matrix": typeof channelMatrix;
  "channel-page": typeof channelPage;
  "channel-reasons": typeof channelReasons;
  "channel-shares": typeof channelShares;
  audit: typeof audit;
  channels: typeof channels;
  chat: typeof chat;
  common: typeof common;
  dashboard: typeof dashboard;
  home: typeof home;
  invitations: typeof invitations;
  login: typeof login;
  logs: typeof logs;
  "management-keys": typeof managementKeys;
  notifications: typeof notifications;
  palette: typeof palette;
  playground: typeof playground;
  pricing: typeof pricing;
  profile: typeof profile;
  recipes: typeof recipes;
  redemptions: typeof redemptions;
  refusals: typeof refusals;
  registration: typeof registration;
  security: typeof security;
  settings: typeof settings;
  "status-page": typeof statusPage;
  shell: typeof shell;
  shortcuts: typeof shortcuts;
  system: typeof system;
  tokens: typeof tokens;
  topup: typeof topup;
  "user-page": typeof userPage;
  users: typeof users;
  views: typeof views;
  "what-if": typeof whatIf;
}

/** A file of texts, for example those of the pages on tokens. */
export type Namespace = keyof Texts;

/** Texts that depend on a count stand there once for each form; the key is the same. */
type WithoutForm<Key extends string> = Key extends `${infer Base}_one`
  ? Base
  : Key extends `${infer Base}_other`
    ? Base
    : Key;

type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? WithoutForm<Key> : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];

/** A text by its namespace and its place in it, for example `common:errors.other`. */
export type FullTextKey = { [Space in Namespace]: `${Space}:${KeysOf<Texts[Space]>}` }[Namespace];

/** A text of the namespaces; the namespace may stand in front. */
export type TextKey<Spaces extends Namespace> = {
  [Space in Spaces]: KeysOf<Texts[Space]> | `${Space}:${KeysOf<Texts[Space]>}`;
}[Spaces];

/** Values for `{{name}}` in a text. `count` selects the plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Returns a text of the namespaces in the reader's language. */
export type Translate<Spaces extends Namespace = "common"> = (key: TextKey<Spaces>, values?: TextValues) => string;

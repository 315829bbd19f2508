import type about from "./locales/en/about.json";
import type channels from "./locales/en/channels.json";
import type common from "./locales/en/common.json";
import type home from "./locales/en/home.json";
import type login from "./locales/en/login.json";
import type logs from "./locales/en/logs.json";
import type profile from "./locales/en/profile.json";
import type refusals from "./locales/en/refusals.json";
import type shell from "./locales/en/shell.json";
import type tokens from "./locales/en/tokens.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      about: typeof about;
      channels: typeof channels;
      common: typeof common;
      home: typeof home;
      login: typeof login;
      logs: typeof logs;
      profile: typeof profile;
      refusals: typeof refusals;
      shell: typeof shell;
      tokens: typeof tokens;
    };
  }
}

import type { TFunction } from "i18next";

/** Texts of the channel pages, with the common ones. */
export type ChannelTexts = TFunction<["channels", "common"]>;

import type { TFunction } from "i18next";

/** Texts of the token pages, with the common ones. */
export type TokenTexts = TFunction<["tokens", "common"]>;

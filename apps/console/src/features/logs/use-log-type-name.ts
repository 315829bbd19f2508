import { useTranslation } from "react-i18next";
import { LOG_TYPES } from "./log-types.ts";

/** Returns what names a type of entry; 0 is all of them. */
export function useLogTypeName(): (type: number) => string {
  const { t } = useTranslation(["logs", "common"]);
  return (type) => {
    if (type === 0) return t("logs:types.all");
    const known = LOG_TYPES.find((entry) => entry.type === type);
    return known === undefined ? t("common:unknownType", { type }) : t(`logs:types.${known.name}`);
  };
}

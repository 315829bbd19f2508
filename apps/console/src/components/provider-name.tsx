import { channelTypeInfo } from "@one-api/contract/channel-types";
import { useTranslation } from "react-i18next";
import { ProviderLogo } from "./provider-logo.tsx";
import classes from "./provider-name.module.css";

/** A channel type: its logo and its name. */
export function ProviderName({ type }: { type: number }) {
  const { t } = useTranslation();
  return (
    <span className={classes.provider}>
      <ProviderLogo type={type} />
      <span className={classes.label}>{channelTypeInfo(type)?.label ?? t("unknownType", { type })}</span>
    </span>
  );
}

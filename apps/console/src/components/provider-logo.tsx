import { channelTypeInfo } from "@one-api/contract/channel-types";
import { providerLogoUrls } from "./provider-logo-urls.ts";
import classes from "./provider-logo.module.css";

interface ProviderLogoProps {
  /** Number of the channel type. */
  type: number;
  size?: number;
}

/** The logo of a channel type; without one, its first letter in the type's colour. Decorative: the name stands beside it. */
export function ProviderLogo({ type, size = 18 }: ProviderLogoProps) {
  const info = channelTypeInfo(type);
  const url = providerLogoUrls[info?.logo ?? ""];
  const box = { width: size, height: size };
  if (info === undefined || url === undefined) {
    const colour = info?.colour ?? "gray";
    const look = {
      ...box,
      fontSize: size * 0.6,
      background: `var(--mantine-color-${colour}-light)`,
      color: `var(--mantine-color-${colour}-light-color)`,
    };
    return (
      <span className={classes.letter} style={look} aria-hidden="true">
        {info?.label.slice(0, 1) ?? "?"}
      </span>
    );
  }
  if (info.logo.endsWith("-color"))
    return <img className={classes.logo} src={url} width={size} height={size} alt="" loading="lazy" />;
  return <span className={classes.mono} style={{ ...box, maskImage: `url("${url}")` }} aria-hidden="true" />;
}

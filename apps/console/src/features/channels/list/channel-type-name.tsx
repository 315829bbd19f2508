import { channelTypeInfo } from "@one-api/contract/channel-types";
import { ProviderName } from "../../../components/provider-name.tsx";
import classes from "./channel-type-name.module.css";

/** A channel's type in its own colour. */
export function ChannelTypeName({ type }: { type: number }) {
  const shade = `var(--mantine-color-${channelTypeInfo(type)?.colour ?? "gray"}-light-color)`;
  // The palette's shades are too pale for small text on white: mixed with the text colour they keep their hue and are legible.
  return (
    <span className={classes.name} style={{ color: `color-mix(in oklab, ${shade} 72%, var(--mantine-color-text))` }}>
      <ProviderName type={type} />
    </span>
  );
}

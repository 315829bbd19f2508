import { channelTypeInfo } from "@one-api/contract/channel-types";
import { ProviderName } from "../../../components/provider-name.tsx";
import classes from "./channel-type-name.module.css";

/** A channel's type in its own colour. */
export function ChannelTypeName({ type }: { type: number }) {
  const colour = `var(--mantine-color-${channelTypeInfo(type)?.colour ?? "gray"}`;
  // On white even the palette's dark shades are too pale for small text: mixed with the text colour they are legible.
  const onLight = `color-mix(in oklab, ${colour}-9) 75%, var(--mantine-color-text))`;
  return (
    <span className={classes.name} style={{ color: `light-dark(${onLight}, ${colour}-4))` }}>
      <ProviderName type={type} />
    </span>
  );
}

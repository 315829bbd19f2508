import { channelTypeInfo, channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { BrandLogo, logosByName } from "./brand-logo.tsx";
import classes from "./provider-name.module.css";

// Only the files that the channel types name are built into the console.
const logos = logosByName(
  import.meta.glob<string>(
    "../../../../../node_modules/@lobehub/icons-static-svg/icons/{ai360-color,aws,azure-color,baichuan-color,claude-color,cloudflare-color,cohere-color,coze,deepl,deepseek-color,doubao-color,fastgpt-color,gemini-color,groq,hunyuan-color,minimax-color,mistral-color,moonshot,novita-color,ollama,openai,openrouter,palm-color,qwen-color,replicate,siliconcloud-color,spark-color,stepfun-color,together-color,vertexai-color,wenxin-color,xai,yi,zhipu-color}.svg",
    { query: "?url", import: "default", eager: true },
  ),
);

interface ProviderLogoProps {
  type: number;
  size?: number;
}

/** The logo of a channel type; without one, its first letter in the type's colour. Decorative: the name stands beside it. */
export function ProviderLogo({ type, size = 18 }: ProviderLogoProps) {
  const info = channelTypeInfo(type);
  const url = logos[info?.logo ?? ""];
  if (info === undefined || url === undefined) {
    const colour = info?.colour ?? "gray";
    const look = {
      width: size,
      height: size,
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
  return <BrandLogo name={info.logo} url={url} size={size} />;
}

export function ProviderName({ type }: { type: number }) {
  const { t, language } = useTranslation();
  return (
    <span className={classes.provider}>
      <ProviderLogo type={type} />
      <span className={classes.label}>{channelTypeLabel(type, language) ?? t("unknownType", { type })}</span>
    </span>
  );
}

import { formatInteger, formatPrice, formatSeconds } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import type { AliasRow } from "./aliases-text.ts";

/** Returns the formatter of a row's conditions and deadline, in a few words. */
export function useConditionText(): (row: Pick<AliasRow, "when" | "firstTokenMs">) => string {
  const { t, language } = useTranslation("channel-form");
  return ({ when, firstTokenMs }) => {
    const { prompt_from: from, prompt_to: to, tools, images, input_price_to: input, output_price_to: output } = when;
    const parts = [
      from !== undefined && t("aliases.short.from", { tokens: formatInteger(from, language) }),
      to !== undefined && t("aliases.short.to", { tokens: formatInteger(to, language) }),
      tools !== undefined && t(tools ? "aliases.short.tools" : "aliases.short.noTools"),
      images !== undefined && t(images ? "aliases.short.images" : "aliases.short.noImages"),
      input !== undefined && t("aliases.short.input", { price: formatPrice(input) }),
      output !== undefined && t("aliases.short.output", { price: formatPrice(output) }),
      firstTokenMs !== undefined && t("aliases.short.deadline", { time: formatSeconds(firstTokenMs) }),
    ].filter((part) => part !== false);
    return parts.length === 0 ? t("aliases.always") : parts.join(", ");
  };
}

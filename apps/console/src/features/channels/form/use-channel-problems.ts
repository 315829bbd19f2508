import type { FormErrors } from "@mantine/form";
import type { Channel } from "@one-api/contract/channel";
import { channelTypeInfo } from "@one-api/contract/channel-types";
import { useTranslation } from "react-i18next";
import type { ChannelValues } from "./channel-values.ts";
import { validateChannel } from "./validate-channel.ts";

/** Returns the validation of the form, in the language of the console. */
export function useChannelProblems(stored: Channel | undefined): (values: ChannelValues) => FormErrors {
  const { t } = useTranslation("channels");
  return (values) => {
    const format = channelTypeInfo(values.type)?.keyHint ?? "";
    const problems = Object.entries(validateChannel(values, stored));
    return Object.fromEntries(problems.map(([field, problem]) => [field, t(`problems.${problem}`, { format })]));
  };
}

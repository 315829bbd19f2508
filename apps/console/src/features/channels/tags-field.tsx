import { ENTRY_STYLES } from "../../components/form/list-inputs.tsx";
import { TagsInput, type TagsInputProps } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";

const SUGGESTIONS_SHOWN = 50;

/** Tags, which may contain spaces; commas separate typed or pasted ones. */
export function TagsField(props: TagsInputProps) {
  return (
    <TagsInput
      styles={ENTRY_STYLES}
      splitChars={[",", "，", "\n"]}
      maxTags={CHANNEL_LIMITS.tags}
      limit={SUGGESTIONS_SHOWN}
      maxLength={CHANNEL_LIMITS.tagLength}
      clearable
      acceptValueOnBlur
      {...props}
    />
  );
}

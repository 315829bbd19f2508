import { TagsInput, type TagsInputProps } from "@mantine/core";

/** Most entries that a list of suggestions shows at once. */
const SUGGESTIONS_SHOWN = 100;

/** A list of texts that may be anything, with suggestions; commas, spaces and line breaks part what is typed or pasted. */
export function FreeListInput(props: TagsInputProps) {
  return <TagsInput splitChars={[",", " ", "\n"]} limit={SUGGESTIONS_SHOWN} clearable acceptValueOnBlur {...props} />;
}

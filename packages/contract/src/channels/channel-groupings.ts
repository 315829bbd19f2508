// Apart from the other constants, because the first page loads it.

/** Keys that the list of channels can be grouped by. A channel belongs to the group of its first tag. */
export const CHANNEL_GROUPINGS = ["type", "tag"] as const;

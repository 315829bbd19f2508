export const MODEL_ABILITIES = ["images", "audio", "speech", "drawing", "tools", "reasoning", "embeddings"] as const;

export type ModelAbility = (typeof MODEL_ABILITIES)[number];

import { imagesLikeOpenAi } from "../../protocols/openai/like-openai-images.ts";

/** Seedream: one picture, or a series whose length the model chooses. Source: https://www.volcengine.com/docs/82379/1541523 */
export const seedreamImages = imagesLikeOpenAi({
  name: "seedream-images",
  sizeField: "size",
  hasForm: true,
  writeSources: (sources) => ({ image: sources.length === 1 ? sources[0] : sources }),
  knows: [
    "seed",
    "guidance_scale",
    "watermark",
    "output_format",
    "optimize_prompt_options",
    "sequential_image_generation",
    "sequential_image_generation_options",
  ],
});

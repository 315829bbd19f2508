import { imagesLikeOpenAi } from "../../protocols/openai/like-openai-images.ts";
import { withoutMissing } from "../../shared/json-fields.ts";

/** At most four pictures with some models, one with others. Source: https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
export const siliconFlowImages = imagesLikeOpenAi({
  name: "siliconflow-images",
  count: { field: "batch_size", most: 4 },
  sizeField: "image_size",
  writeSources: ([image, image2, image3]) => withoutMissing({ image, image2, image3 }),
  knows: ["negative_prompt", "seed", "num_inference_steps", "guidance_scale", "cfg", "output_format"],
});

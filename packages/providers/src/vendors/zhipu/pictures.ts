import { imagesLikeOpenAi } from "../../protocols/openai/like-openai-images.ts";

/** One picture per call. Source: https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
export const zhipuImages = imagesLikeOpenAi({
  name: "zhipu-images",
  sizeField: "size",
  hasQuality: true,
  knows: ["user_id", "watermark_enabled"],
});

import { imagesLikeOpenAi } from "../../protocols/openai/like-openai-images.ts";
import { withoutMissing } from "../../shared/json-fields.ts";

/** At most four pictures. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/zm696hdfq */
export const baiduImages = imagesLikeOpenAi({
  name: "baidu-images",
  count: { field: "n", most: 4 },
  sizeField: "size",
  writeSources: ([refer_image]) => withoutMissing({ refer_image }),
  knows: ["user", "steps", "seed", "guidance"],
});

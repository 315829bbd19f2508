import { CHANNEL_TYPES, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import { openAiStub } from "@one-api/providers/protocols/openai/stub/stub";
import { PICTURES, pictureStore } from "@one-api/providers/stub-kit/pictures/picture-store";
import type { Stub } from "@one-api/providers/stub-kit/stub";
import { aiProxyLibraryStub } from "@one-api/providers/vendors/ai-proxy-library/stub";
import { anthropicStub } from "@one-api/providers/vendors/anthropic/stub";
import { awsStub } from "@one-api/providers/vendors/aws/stub/stub";
import { azureStub } from "@one-api/providers/vendors/azure/stub";
import { baiduStub } from "@one-api/providers/vendors/baidu/stub";
import { cloudflareStub } from "@one-api/providers/vendors/cloudflare/stub";
import { cohereStub } from "@one-api/providers/vendors/cohere/stub/stub";
import { cozeStub } from "@one-api/providers/vendors/coze/stub";
import { deepLStub } from "@one-api/providers/vendors/deepl/stub";
import { doubaoStub } from "@one-api/providers/vendors/doubao/stub";
import { geminiStub } from "@one-api/providers/vendors/gemini/stub";
import { groqStub } from "@one-api/providers/vendors/groq/stub";
import { hunyuanStub } from "@one-api/providers/vendors/hunyuan/stub";
import { miniMaxStub } from "@one-api/providers/vendors/minimax/stub";
import { mistralStub } from "@one-api/providers/vendors/mistral/stub";
import { ollamaStub } from "@one-api/providers/vendors/ollama/stub";
import { qwenStub } from "@one-api/providers/vendors/qwen/stub";
import { replicateStub } from "@one-api/providers/vendors/replicate/stub";
import { siliconFlowStub } from "@one-api/providers/vendors/siliconflow/stub";
import { sparkStub } from "@one-api/providers/vendors/spark/stub";
import { vertexStub } from "@one-api/providers/vendors/vertex/stub/stub";
import { zhipuStub } from "@one-api/providers/vendors/zhipu/stub";

/** Stubs by name of channel type. All other vendors use OpenAI's stub. */
const STUBS: Readonly<Partial<Record<ChannelTypeName, Stub>>> = {
  "ai-proxy-library": aiProxyLibraryStub,
  anthropic: anthropicStub,
  aws: awsStub,
  azure: azureStub,
  baidu: baiduStub,
  cloudflare: cloudflareStub,
  cohere: cohereStub,
  coze: cozeStub,
  deepl: deepLStub,
  doubao: doubaoStub,
  gemini: geminiStub,
  groq: groqStub,
  hunyuan: hunyuanStub,
  minimax: miniMaxStub,
  mistral: mistralStub,
  ollama: ollamaStub,
  palm: geminiStub,
  qwen: qwenStub,
  replicate: replicateStub,
  siliconflow: siliconFlowStub,
  spark: sparkStub,
  vertex: vertexStub,
  zhipu: zhipuStub,
};

const stubOfSegment: ReadonlyMap<string, Stub> = new Map<string, Stub>([
  [PICTURES, pictureStore],
  ...CHANNEL_TYPES.map(({ name }): [string, Stub] => [name, STUBS[name] ?? openAiStub]),
]);

/** Returns the stub of a path's first segment; undefined for an unknown vendor. */
export function stubOf(segment: string): Stub | undefined {
  return stubOfSegment.get(segment);
}

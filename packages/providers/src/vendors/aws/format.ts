import type { ProviderFormat } from "../../format.ts";
import { AWS_EVENT_STREAM } from "../../framing/aws-event-stream.ts";
import { NAMES_OF_64 } from "../../neutral/fit/name-rule.ts";
import { ConverseStreamDecoder, readAnswer, readUsage } from "./answer.ts";
import { carriesError, readError } from "./read-error.ts";
import { traitsOf } from "./model-traits.ts";
import { writeRequest } from "./write-request.ts";

const EXACT_FIELDS: ReadonlySet<string> = new Set(["input"]);

/**
 * Amazon Bedrock's chat. Accepted fields depend on `model`, whose name is in the path.
 * Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export function bedrockConverse(model: string): ProviderFormat {
  const traits = traitsOf(model);
  return {
    name: "bedrock-converse",
    framing: AWS_EVENT_STREAM,
    exactFields: EXACT_FIELDS,
    readUsage,
    carriesError,
    results: { output: "record" },
    readError,
    chat: {
      // Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html
      limits: { toolNames: NAMES_OF_64, callIds: NAMES_OF_64, hasObjectTools: true, hasObjectAnswers: true },
      writeRequest: (request) => writeRequest(request, traits),
      readAnswer: (answer) => readAnswer(answer, traits),
      decode: () => new ConverseStreamDecoder(traits),
    },
  };
}

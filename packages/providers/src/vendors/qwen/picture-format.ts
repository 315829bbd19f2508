import type { Failure } from "../../failure.ts";
import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { type Picture, pictureAt, pixelsOf, type PictureRequest, takeOptions } from "../../neutral/picture.ts";
import { type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readCodedError } from "../../protocols/coded-error.ts";
import { readPictures } from "../../protocols/openai/pictures.ts";
import { readError } from "../../protocols/read-error.ts";

/** Pictures of an asynchronous task. Source: https://help.aliyun.com/en/model-studio/text-to-image-v2-api-reference */
export const dashScopeTask: ProviderFormat = {
  name: "dashscope-image-task",
  readUsage: () => undefined,
  carriesError: (answer) => recordOf(recordOf(answer).output).task_status !== "SUCCEEDED",
  readError: readTaskError,
  chat: undefined,
  pictures: {
    writeRequest(request) {
      const { parameters, dropped } = writeParameters(request);
      const { negative_prompt: unwanted, ...others } = parameters;
      const input = { prompt: request.prompt, ...(unwanted !== undefined && { negative_prompt: unwanted }) };
      return { body: { model: nameOf(request.model), input, parameters: others }, dropped };
    },
    readAnswer: ({ output }) => ({
      pictures: listOf(recordOf(output).results).flatMap((result) => {
        const revised = textOf(recordOf(result).actual_prompt);
        return readPictures([result]).map((picture) => ({ ...picture, revisedPrompt: revised }));
      }),
    }),
  },
};

/** Pictures of newer models, made or edited in one message of a conversation. Source: https://help.aliyun.com/en/model-studio/qwen-image-api */
export const dashScopeTurn: ProviderFormat = {
  name: "dashscope-image-turn",
  readUsage: () => undefined,
  carriesError: (answer) => recordOf(answer).output === undefined,
  readError,
  chat: undefined,
  pictures: {
    writeRequest(request) {
      const { parameters, dropped } = writeParameters(request);
      const content = [...request.sources.map((image) => ({ image })), { text: request.prompt }];
      const input = { messages: [{ role: "user", content }] };
      return { body: { model: nameOf(request.model), input, parameters }, dropped };
    },
    readAnswer: ({ output }) => ({ pictures: listOf(recordOf(output).choices).flatMap(picturesOfTurn) }),
  },
};

/** Removes the prefix of One API's names for models that several vendors sell. */
function nameOf(model: string): string {
  return model.replace(/^ali-/, "");
}

const KNOWN = ["negative_prompt", "seed", "prompt_extend", "watermark"];

function writeParameters({ count, size, quality, options }: PictureRequest): {
  readonly parameters: JsonRecord;
  readonly dropped: WrittenRequest["dropped"];
} {
  const { taken, dropped } = takeOptions(options, KNOWN);
  const pixels = pixelsOf(size);
  const parameters = {
    ...(pixels !== undefined && { size: `${pixels.width}*${pixels.height}` }),
    ...(count !== undefined && { n: count }),
    ...taken,
  };
  const unsupported = [
    ...(size !== "" && pixels === undefined ? ["size"] : []),
    ...(quality === "" ? [] : ["quality"]),
    ...dropped,
  ];
  return { parameters, dropped: unsupported };
}

function picturesOfTurn(choice: unknown): readonly Picture[] {
  return listOf(recordOf(recordOf(choice).message).content)
    .map((part) => textOf(recordOf(part).image))
    .filter((address) => address !== "")
    .map((address) => pictureAt(address));
}

/** Codes of tasks that fail through the caller's fault. Source: https://help.aliyun.com/en/model-studio/error-code */
const OF_CALLERS = /^(?:InvalidParameter|InvalidURL|BadRequest|DataInspection|IPInfringement)/;

/** A failed task has a good status. */
function readTaskError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const { output } = recordOf(parseJson(body));
  const { task_status: state, code, message } = recordOf(output);
  if (status > 299 || state === undefined) return readError(status, headers, body, now);
  const told = { code: textOf(code), message: textOf(message) || `The task ended as ${textOf(state)}.` };
  const meant = OF_CALLERS.test(told.code) ? 400 : told.code.startsWith("Throttling") ? 429 : 500;
  return readCodedError(meant, headers, told, now);
}

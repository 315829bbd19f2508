import { FLAG, fields, listOf, OBJECT, type Shape, TEXT, textOr, valueOf } from "../../neutral/check-fields.ts";
import { protoNumber, snakeCase } from "./fields.ts";

const NUMBER = valueOf("a number", (value) => protoNumber(value) !== undefined);

/** An object with fields in either spelling. */
function message(shapes: Readonly<Record<string, Shape>>): Shape {
  const both = Object.entries(shapes).flatMap(([name, shape]) => [
    [name, shape] as const,
    [snakeCase(name), shape] as const,
  ]);
  return fields(Object.fromEntries(both));
}

function oneOrList(shape: Shape): Shape {
  const list = listOf(shape);
  return (value) => (Array.isArray(value) ? list(value) : shape(value));
}

const MEDIUM = {
  inlineData: message({ mimeType: TEXT, data: TEXT, displayName: TEXT }),
  fileData: message({ mimeType: TEXT, fileUri: TEXT, displayName: TEXT }),
} as const;

const PARTS = oneOrList(
  message({
    ...MEDIUM,
    text: TEXT,
    thought: FLAG,
    thoughtSignature: TEXT,
    functionCall: message({ id: TEXT, name: TEXT, args: OBJECT }),
    functionResponse: message({ id: TEXT, name: TEXT, response: OBJECT, parts: oneOrList(message(MEDIUM)) }),
  }),
);

const DECLARATION = message({ name: TEXT, description: TEXT, parameters: OBJECT, parametersJsonSchema: OBJECT });

export const REQUEST: Shape = message({
  contents: oneOrList(message({ role: TEXT, parts: PARTS })),
  systemInstruction: textOr(message({ role: TEXT, parts: PARTS })),
  tools: oneOrList(message({ functionDeclarations: oneOrList(DECLARATION) })),
  toolConfig: message({ functionCallingConfig: message({ mode: TEXT, allowedFunctionNames: listOf(TEXT) }) }),
  generationConfig: message({
    maxOutputTokens: NUMBER,
    temperature: NUMBER,
    topP: NUMBER,
    topK: NUMBER,
    seed: NUMBER,
    frequencyPenalty: NUMBER,
    presencePenalty: NUMBER,
    candidateCount: NUMBER,
    stopSequences: listOf(TEXT),
    responseMimeType: TEXT,
    responseSchema: OBJECT,
    responseJsonSchema: OBJECT,
    responseLogprobs: FLAG,
    logprobs: NUMBER,
    thinkingConfig: message({ thinkingBudget: NUMBER, thinkingLevel: TEXT, includeThoughts: FLAG }),
  }),
});

import { type CallExample, curlCall, curlExample, KEY_VARIABLE } from "./call-example.ts";

export const CALL_LANGUAGES = ["curl", "Python", "JavaScript"] as const;

export type CallKind = "chat" | "embedding" | "image";

interface ModelCall extends Omit<CallExample, "key"> {
  readonly kind: CallKind;
  /** Written into the calls of a chat; by default it comes from the environment. */
  readonly key?: string;
}

interface SdkCall {
  readonly method: string;
  readonly argument: string;
  /** The part of the answer that is printed, in both languages. */
  readonly result: string;
}

const SDK_CALLS: Readonly<Record<Exclude<CallKind, "chat">, SdkCall>> = {
  embedding: { method: "embeddings.create", argument: "input", result: "data[0].embedding" },
  image: { method: "images.generate", argument: "prompt", result: "data[0]" },
};

/** The client of each library; a key in the code has a line of its own. */
function clientCode(address: string, key: string | undefined) {
  if (key !== undefined) {
    return {
      python: `from openai import OpenAI

client = OpenAI(
    base_url="${address}",
    api_key=${JSON.stringify(key)},
)`,
      javaScript: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${address}",
  apiKey: ${JSON.stringify(key)},
});`,
    };
  }
  return {
    python: `import os
from openai import OpenAI

client = OpenAI(base_url="${address}", api_key=os.environ["${KEY_VARIABLE}"])`,
    javaScript: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}", apiKey: process.env.${KEY_VARIABLE} });`,
  };
}

/** Ready-to-run first calls; by default the key comes from the environment, so that none ends up in a shell history. */
export function callExamples({
  kind,
  key,
  ...call
}: ModelCall): Readonly<Record<(typeof CALL_LANGUAGES)[number], string>> {
  const { address, prompt } = call;
  const [model, text] = [JSON.stringify(call.model), JSON.stringify(prompt)];
  const { python, javaScript } = clientCode(address, key);
  if (kind === "chat") {
    return {
      curl: curlExample({ ...call, key: key ?? `$${KEY_VARIABLE}` }),
      Python: `${python}
answer = client.chat.completions.create(
    model=${model},
    messages=[{"role": "user", "content": ${text}}],
)
print(answer.choices[0].message.content)`,
      JavaScript: `${javaScript}
const answer = await client.chat.completions.create({
  model: ${model},
  messages: [{ role: "user", content: ${text} }],
});
console.log(answer.choices[0].message.content);`,
    };
  }
  const { method, argument, result } = SDK_CALLS[kind];
  const path = kind === "embedding" ? "/embeddings" : "/images/generations";
  return {
    curl: curlCall(address, path, { model: call.model, [argument]: prompt }),
    Python: `${python}
answer = client.${method}(model=${model}, ${argument}=${text})
print(answer.${result})`,
    JavaScript: `${javaScript}
const answer = await client.${method}({ model: ${model}, ${argument}: ${text} });
console.log(answer.${result});`,
  };
}

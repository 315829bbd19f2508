interface ExampleInput {
  /** Base address with `/v1`. */
  address: string;
  model: string;
  prompt: string;
}

/** Ready-to-run first calls; the key comes from the environment, so that none ends up in a shell history. */
export function callExamples({ address, model, prompt }: ExampleInput) {
  const message = JSON.stringify(prompt);
  return {
    curl: `curl ${address}/chat/completions \\
  -H "Authorization: Bearer $ONE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": ${message}}]}'`,
    Python: `import os
from openai import OpenAI

client = OpenAI(base_url="${address}", api_key=os.environ["ONE_API_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": ${message}}],
)
print(answer.choices[0].message.content)`,
    JavaScript: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}", apiKey: process.env.ONE_API_KEY });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: ${message} }],
});
console.log(answer.choices[0].message.content);`,
  } as const;
}

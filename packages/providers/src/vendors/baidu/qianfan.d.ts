/** Subset of Qianfan's SDK for tests: Node cannot resolve the imports in its own types. */
declare module "@baiducloud/qianfan" {
  interface Connection {
    readonly QIANFAN_AK: string;
    readonly QIANFAN_SK: string;
    readonly QIANFAN_BASE_URL: string;
    readonly QIANFAN_LLM_API_RETRY_COUNT: string;
  }

  interface Usage {
    readonly prompt_tokens: number;
    readonly total_tokens: number;
  }

  /** An answer, or the text since the previous event. */
  interface Answer {
    readonly result: string;
    readonly is_end?: boolean;
    readonly function_call?: { readonly name: string; readonly arguments: string };
    readonly usage: Usage & { readonly completion_tokens: number };
  }

  interface Asked {
    readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
    readonly functions?: readonly {
      readonly name: string;
      readonly description: string;
      readonly parameters: object;
    }[];
  }

  export class ChatCompletion {
    constructor(connection: Connection);
    chat(asked: Asked & { readonly stream: true }, model: string): Promise<AsyncIterable<Answer>>;
    chat(asked: Asked, model: string): Promise<Answer>;
  }

  export class Embedding {
    constructor(connection: Connection);
    embedding(
      asked: { readonly input: readonly string[] },
      model: string,
    ): Promise<{ readonly data: readonly { readonly embedding: readonly number[] }[]; readonly usage: Usage }>;
  }
}

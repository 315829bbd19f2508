import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** Groq's SDK names the API's path `/openai` itself. */
export const groqStub: Stub = { apis: [openAiApi({ at: "(?:/openai)?/v1" })] };

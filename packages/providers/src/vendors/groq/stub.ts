import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** Groq's SDK adds `/openai` to the path. */
export const groqStub: Stub = { apis: [openAiApi({ at: "(?:/openai)?/v1" })] };

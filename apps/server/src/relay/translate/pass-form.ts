import { isFormBody, withModel } from "../body/index.ts";
import type { Translation, WrittenRequest } from "./translation.ts";

export const withModelOfForm: Translation["writeRequest"] = ({ body, stream }, { model }): WrittenRequest => {
  if (!isFormBody(body)) throw new Error("A form was expected.");
  return {
    body: withModel(body, model),
    dropped: [],
    systemPrompt: undefined,
    stream,
    formatHeaders: {},
    contentType: body.form.contentType,
  };
};

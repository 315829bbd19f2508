import { z } from "zod";

const answerSchema = z.looseObject({ errcode: z.int(), errmsg: z.string().default("") });

export function refusalByErrcode(answer: unknown): string | undefined {
  const { errcode, errmsg } = answerSchema.parse(answer);
  return errcode === 0 ? undefined : `${errcode} ${errmsg}`;
}

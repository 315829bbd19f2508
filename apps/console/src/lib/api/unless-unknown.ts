import { ApiError } from "./api-error.ts";

/** True where a server does not have a call at all, as a plain One API server does not have those of ours. */
export function isUnknownCall(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** What a call answers, or what stands for it where the server does not have it. */
export async function unlessUnknown<Data>(call: Promise<Data>, instead: Data): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    if (isUnknownCall(error)) return instead;
    throw error;
  }
}

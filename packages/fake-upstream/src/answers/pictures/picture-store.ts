import type { Call, Endpoint, Reply } from "../../reply.ts";
import type { SpokenApi } from "../spoken-api.ts";

/** A red pixel, as PNG. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const PICTURE_PATH = /^\/pictures\/[\w-]+\.png$/;

/** Where made pictures can be fetched by whoever knows their addresses. */
export const pictureStore: SpokenApi = {
  isSpoken: ({ path }) => PICTURE_PATH.test(path),
  isAside: true,
  readKey: () => "",
  writeError: (_status, body) => body,
  find: (method): Endpoint | undefined => (method === "GET" ? showPicture : undefined),
};

function showPicture(): Reply {
  return { kind: "bytes", contentType: "image/png", pieces: [Buffer.from(PIXEL, "base64")] };
}

/** The addresses of so many new pictures; the behaviour's `pieces` are those that are delivered. */
export function pictureUrls({ id, headers, behaviour }: Call, count: number): readonly string[] {
  return Array.from({ length: behaviour.pieces ?? count }, (_, index) => {
    return `http://${headers.host}/pictures/${id}-${index}.png`;
  });
}

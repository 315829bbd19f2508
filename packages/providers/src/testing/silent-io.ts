import { AccessTokenCache } from "../access-token-cache.ts";
import { UploadedFileCache, type ProviderIo } from "../provider-io.ts";

/** Access for providers that make no calls: any call fails the test. The clock shows the beginning of 1970. */
export const silentIo: ProviderIo = {
  ask: () => Promise.reject(new Error("Nothing else is asked.")),
  nowMs: () => 0,
  wait: () => Promise.resolve(),
  fetchPicture: () => Promise.reject(new Error("Nothing is fetched here.")),
  files: new UploadedFileCache(1),
  tokens: new AccessTokenCache(1),
};

import type { getLatestRelease } from "@one-api/contract/status";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";

type Release = z.input<(typeof getLatestRelease)["data"]>;

const MAX_NOTES_LENGTH = 65_536;
const MAX_TAG_LENGTH = 128;

// https://docs.github.com/en/rest/releases/releases#get-the-latest-release
const releaseSchema = z.object({
  tag_name: z.string().trim().max(MAX_TAG_LENGTH),
  body: z.string().nullish(),
  html_url: z.string().optional(),
});

/**
 * Reads the latest release at UpdateAddress; an empty tag if it is the running version. The text is not
 * trusted.
 * Throws `update-address-missing` and `update-check-failed`.
 */
export async function checkUpdate(options: OptionStore, version: string): Promise<Release> {
  const address = options.text("UpdateAddress");
  if (address === "") throw new AppError("update-address-missing", "Set UpdateAddress first.");
  const release = await readRelease(address);
  const { tag_name: tag, body, html_url: page = "" } = release;
  if (withoutPrefix(tag) === withoutPrefix(version)) return { tag_name: "", body: "", html_url: "" };
  return {
    tag_name: tag,
    body: (body ?? "").slice(0, MAX_NOTES_LENGTH),
    html_url: isWebAddress(page) ? page : releasePage(address, tag),
  };
}

async function readRelease(address: string): Promise<z.output<typeof releaseSchema>> {
  try {
    return releaseSchema.parse(await fetchJson(address, { method: "GET" }));
  } catch (error) {
    const reason =
      error instanceof z.ZodError
        ? "the answer names no release"
        : error instanceof Error
          ? reasonOf(error)
          : "unknown";
    throw new AppError("update-check-failed", `The latest release could not be read: ${reason}`, {
      values: { reason },
    });
  }
}

/** Only the cause of a failed fetch has its reason. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** APIs of GitHub, GitHub Enterprise and Gitea. */
const RELEASE_API = /^\/(?:api\/v\d+\/)?repos\/([^/]+\/[^/]+)\/releases\/latest\/?$/;

/** Page of a release without `html_url`: the site's page of the tag, else the address of the API. */
function releasePage(address: string, tag: string): string {
  const { protocol, host, origin, pathname } = new URL(address);
  const repository = RELEASE_API.exec(pathname)?.[1];
  if (repository === undefined) return origin + pathname;
  const site = `${protocol}//${host.replace(/^api\./, "")}`;
  return `${site}/${repository}/releases/tag/${encodeURIComponent(tag)}`;
}

function withoutPrefix(tag: string): string {
  return tag.replace(/^v/i, "");
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

import { IconCode } from "@tabler/icons-react";
import { BrandLogo, logosByName } from "../../components/logos/brand-logo.tsx";
import type { RecipeId } from "./recipes.ts";

const logos = logosByName(
  import.meta.glob<string>(
    "../../../../../node_modules/@lobehub/icons-static-svg/icons/{anthropic,cherrystudio-color,claudecode-color,cline,codex,cursor,geminicli-color,githubcopilot,google-color,langchain-color,lobehub-color,opencode,openwebui,qwen,vercel}.svg",
    { query: "?url", import: "default", eager: true },
  ),
);

const LOGO_OF: Partial<Record<RecipeId, string>> = {
  "claude-code": "claudecode-color",
  codex: "codex",
  cursor: "cursor",
  "gemini-cli": "geminicli-color",
  opencode: "opencode",
  "qwen-code": "qwen",
  cline: "cline",
  "copilot-cli": "githubcopilot",
  "cherry-studio": "cherrystudio-color",
  "lobe-chat": "lobehub-color",
  "open-webui": "openwebui",
  anthropic: "anthropic",
  google: "google-color",
  "langchain-python": "langchain-color",
  "langchain-js": "langchain-color",
  "ai-sdk": "vercel",
};

const SIZE = 16;

/** The logo of a client; a sign for code where there is none. */
export function ClientLogo({ client }: { client: RecipeId }) {
  const name = LOGO_OF[client] ?? "";
  const url = logos[name];
  if (url === undefined) return <IconCode size={SIZE} stroke={1.6} aria-hidden="true" />;
  return <BrandLogo name={name} url={url} size={SIZE} />;
}

import { z } from "zod";

const MAIL_LANGUAGES = ["en", "zh-CN"] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** Chinese if an `Accept-Language` or a stored language begins with it; else English. */
export function mailLanguage(language: string | undefined): MailLanguage {
  return /^\s*zh\b/i.test(language ?? "") ? "zh-CN" : "en";
}

const blockSchema = z.union([
  z.object({ text: z.string() }),
  z.object({ code: z.string() }),
  z.object({ list: z.array(z.string()) }),
  z.object({ link: z.string(), label: z.string() }),
]);

/** A message as blocks of plain text, so that a name in it cannot become markup, a link or a header. */
export const mailMessageSchema = z.object({
  language: z.enum(MAIL_LANGUAGES),
  subject: z.string(),
  blocks: z.array(blockSchema),
});

export type MailMessage = z.infer<typeof mailMessageSchema>;

export function mailText({ blocks }: MailMessage): string {
  return blocks.map(blockText).join("\n\n");
}

function blockText(block: MailMessage["blocks"][number]): string {
  if ("text" in block) return block.text;
  if ("code" in block) return block.code;
  if ("list" in block) return block.list.map((line) => `- ${oneLine(line)}`).join("\n");
  return `${block.label}:\n${block.link}`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 12px; background: #f4f4f5; color: #18181b; font: 15px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 560px; margin: 0 auto; padding: 24px 28px; background: #ffffff; border: 1px solid #e4e4e7; border-radius: 8px; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 17px; line-height: 1.4; }
p { margin: 0 0 14px; white-space: pre-line; }
ul { margin: 0 0 14px; padding-left: 20px; }
li { margin: 0 0 6px; }
.code { font: 600 24px/1.3 ui-monospace, Consolas, monospace; letter-spacing: 0.12em; }
.button { display: inline-block; padding: 9px 16px; border-radius: 6px; background: #18181b; color: #ffffff; text-decoration: none; font-weight: 600; }
.address { color: #71717a; font-size: 13px; }
@media (prefers-color-scheme: dark) {
body { background: #111113; color: #e4e4e7; }
main { background: #1c1c1f; border-color: #333338; }
.button { background: #e4e4e7; color: #18181b; }
.address { color: #a1a1aa; }
}`;

export function mailHtml({ language, subject, blocks }: MailMessage): string {
  const body = blocks.map(blockHtml).join("");
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(subject)}</h1>${body}</main></body></html>`
  );
}

function blockHtml(block: MailMessage["blocks"][number]): string {
  if ("text" in block) return `<p>${escapeHtml(block.text)}</p>`;
  if ("code" in block) return `<p class="code">${escapeHtml(block.code)}</p>`;
  if ("list" in block) return `<ul>${block.list.map((line) => `<li>${escapeHtml(oneLine(line))}</li>`).join("")}</ul>`;
  const address = escapeHtml(block.link);
  if (!/^https?:\/\//i.test(block.link)) return `<p>${escapeHtml(block.label)}: ${address}</p>`;
  return `<p><a class="button" href="${address}">${escapeHtml(block.label)}</a></p><p class="address">${address}</p>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** A time to the minute in UTC, as readers' time zones are unknown. `seconds` in Unix seconds. */
export function utcTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

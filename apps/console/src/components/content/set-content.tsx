import { SafeContent } from "./safe-content.tsx";
import { WebFrame } from "./web-frame.tsx";

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());
}

/** A page of administrators: an address is framed; Markdown and HTML are sanitised. */
export function SetContent({ content, title }: { content: string; title: string }) {
  if (isWebAddress(content)) return <WebFrame address={content.trim()} title={title} />;
  return <SafeContent content={content} format="markdown" />;
}

import { useLayoutEffect, useRef } from "react";
import { sanitiseContent } from "../../lib/sanitise-content.ts";
import classes from "./sanitised-html.module.css";

export default function SanitisedHtml({ content, format }: { content: string; format: "markdown" | "html" }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.replaceChildren(sanitiseContent(content, format));
  }, [content, format]);
  return <div ref={box} className={classes.content} />;
}

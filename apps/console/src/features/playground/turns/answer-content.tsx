import { lexer } from "marked";
import { memo, useEffectEvent, useLayoutEffect, useMemo, useRef } from "react";
import contentClasses from "../../../components/content/sanitised-html.module.css";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { sanitiseContent } from "../../../lib/sanitise-content.ts";
import classes from "./answer-content.module.css";

/**
 * Replaces foreign pictures by links: a manipulated model may send the conversation to a stranger in a picture's
 * address.
 */
function withoutForeignPictures(fragment: DocumentFragment): void {
  for (const image of fragment.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    if (/^data:image\/(?:png|jpeg|gif|webp);/i.test(address)) continue;
    const name = image.alt === "" ? address : image.alt;
    if (!/^https?:\/\//i.test(address)) {
      image.replaceWith(name);
      continue;
    }
    const link = document.createElement("a");
    link.href = address;
    link.rel = "noopener noreferrer nofollow";
    link.target = "_blank";
    link.textContent = name;
    image.replaceWith(link);
  }
}

function addCopyButtons(fragment: DocumentFragment, label: string, copy: (code: string) => void): void {
  for (const pre of fragment.querySelectorAll("pre")) {
    const code = pre.textContent.replace(/\n$/, "");
    const box = document.createElement("div");
    const button = document.createElement("button");
    box.className = classes.code ?? "";
    button.className = classes.copy ?? "";
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => copy(code));
    pre.replaceWith(box);
    box.append(button, pre);
  }
}

const Block = memo(function Block({ source }: { source: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const box = useRef<HTMLDivElement>(null);
  const copyCode = useEffectEvent((code: string) => void copy(code));
  const label = t("copy");
  useLayoutEffect(() => {
    const fragment = sanitiseContent(source, "markdown");
    withoutForeignPictures(fragment);
    addCopyButtons(fragment, label, (code) => copyCode(code));
    box.current?.replaceChildren(fragment);
  }, [source, label]);
  return <div ref={box} className={contentClasses.content} />;
});

/**
 * Splits Markdown into blocks, so that a stream renders only the last one. Link definitions belong to every block; HTML
 * may span blocks, so a text with tags is one.
 */
function blocksOf(text: string): readonly string[] {
  const tokens = lexer(text, { gfm: true });
  if (tokens.some(({ type }) => type === "html")) return [text];
  const names = tokens.flatMap(({ type, raw }) => (type === "def" ? [raw] : [])).join("");
  return tokens.flatMap(({ type, raw }) => {
    if (type === "space" || type === "def") return [];
    return [names === "" ? raw : `${raw}\n\n${names}`];
  });
}

export default function AnswerContent({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text).map((source, place) => ({ source, place })), [text]);
  return (
    <div className={classes.answer}>
      {blocks.map(({ source, place }) => (
        <Block key={place} source={source} />
      ))}
    </div>
  );
}

import { useEffect, useRef, useState } from "react";
import { useStoredStatus } from "../../lib/state/stored-status.ts";

/** API of the provider's script (Cloudflare Turnstile, explicit rendering). */
interface Turnstile {
  render(
    element: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      theme: "auto";
      size: "flexible";
      callback(token: string): void;
      "expired-callback"(): void;
      "error-callback"(): void;
    },
  ): string | undefined;
  reset(widget: string): void;
  remove(widget: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

const DEFAULT_ADDRESS = "https://challenges.cloudflare.com";
const SCRIPT_ID = "human-check-script";

type ScriptState = "unloaded" | "loading" | "ready";

/**
 * Loads the provider's script once and reports its state. A failed script is removed, so that the next widget retries.
 */
function loadScript(address: string, tell: (state: ScriptState) => void): () => void {
  if (window.turnstile !== undefined) {
    tell("ready");
    return () => undefined;
  }
  tell("loading");
  const existing = document.getElementById(SCRIPT_ID);
  const script = existing ?? document.createElement("script");
  const onLoad = () => tell("ready");
  const onError = () => {
    script.remove();
    tell("unloaded");
  };
  script.addEventListener("load", onLoad);
  script.addEventListener("error", onError);
  if (existing === null && script instanceof HTMLScriptElement) {
    script.id = SCRIPT_ID;
    script.async = true;
    script.src = `${address}/turnstile/v0/api.js?render=explicit`;
    document.head.append(script);
  }
  return () => {
    script.removeEventListener("load", onLoad);
    script.removeEventListener("error", onError);
  };
}

interface HumanCheckProps {
  /** Action of the user, for the provider's statistics. */
  action: string;
  /** Takes the answer; an empty one while there is none. */
  onAnswer(token: string): void;
}

/** Human check widget. Its script loads only while the check is on. */
export function HumanCheck({ action, onAnswer }: HumanCheckProps) {
  const { turnstile_site_key: siteKey, turnstile_address: address } = useStoredStatus();
  const [state, setState] = useState<ScriptState>("unloaded");
  const element = useRef<HTMLDivElement>(null);
  const answer = useRef(onAnswer);
  useEffect(() => {
    answer.current = onAnswer;
  });
  useEffect(() => loadScript(address || DEFAULT_ADDRESS, setState), [address]);
  useEffect(() => {
    if (state !== "ready" || element.current === null || window.turnstile === undefined) return;
    const { turnstile } = window;
    const none = () => answer.current("");
    none();
    const callback = (token: string) => answer.current(token);
    const events = { callback, "expired-callback": none, "error-callback": none };
    const widget = turnstile.render(element.current, {
      sitekey: siteKey,
      action,
      theme: "auto",
      size: "flexible",
      ...events,
    });
    return () => {
      if (widget !== undefined) turnstile.remove(widget);
    };
  }, [state, siteKey, action]);
  return <div ref={element} data-state={state} />;
}

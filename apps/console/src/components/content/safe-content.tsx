import { lazy, Suspense } from "react";

// What renders and sanitises is large, and most pages show nothing that administrators wrote.
const SanitisedHtml = lazy(() => import("./sanitised-html.tsx"));

interface SafeContentProps {
  /** Written by administrators; hostile until sanitised. */
  content: string;
  format: "markdown" | "html";
}

/** Markdown or HTML that administrators wrote, sanitised. */
export function SafeContent(props: SafeContentProps) {
  return (
    <Suspense fallback={null}>
      <SanitisedHtml {...props} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";

// The renderer and sanitiser are large, and most pages have no content of administrators.
const SanitisedHtml = lazy(() => import("./sanitised-html.tsx"));

interface SafeContentProps {
  /** Written by administrators; hostile until sanitised. */
  content: string;
  format: "markdown" | "html";
}

export function SafeContent(props: SafeContentProps) {
  return (
    <Suspense fallback={null}>
      <SanitisedHtml {...props} />
    </Suspense>
  );
}

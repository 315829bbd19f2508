// Sets the colour scheme, the named theme and the font before the first paint. The keys are those of src/lib/storage-keys.ts.
(() => {
  const root = document.documentElement;
  /** @param {string} key */
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const chosen = read("color_scheme");
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.mantineColorScheme = dark ? "dark" : "light";
  const theme = read("theme");
  root.dataset.theme = theme === "berry" || theme === "air" ? theme : "default";
  // The build puts addresses here; without them, while developing, there is nothing to ask for ahead.
  /** @param {Record<string, string>} attributes */
  const askFor = (attributes) => {
    if (attributes["href"]?.startsWith("/"))
      document.head.append(Object.assign(document.createElement("link"), attributes));
  };
  if (read("font") === "ready") {
    root.dataset.font = "inter";
    askFor({ rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href: "__FONT__" });
  }
  const language = read("language") ?? navigator.language;
  root.lang = language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  if (root.lang === "zh-CN") askFor({ rel: "modulepreload", href: "__CHINESE__" });
})();

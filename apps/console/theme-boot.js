// Sets the colour scheme and the named theme before the first paint. The keys are those of src/lib/storage-keys.ts.
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
  const language = read("language") ?? navigator.language;
  root.lang = language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
})();

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compileHints } from "./build/compile-hints.ts";
import { completePage } from "./build/complete-page.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { splitComponentStyles } from "./build/split-component-styles.ts";

// The Host header stays as the browser sent it, so that the gateway sees its own origin.
const gateway = { target: "http://127.0.0.1:3000", changeOrigin: false };

/** Modules of menus, dialogs, sheets and toasts, which no page needs to show itself. */
const floatingModules = [
  /node_modules\/(?:@floating-ui|react-remove-scroll(?:-bar)?|react-style-singleton|use-callback-ref|use-sidecar|tslib)\//,
  /node_modules\/(?:@mantine\/notifications|react-transition-group)\/|lib\/toasts\/toast-edge/,
  /@mantine\/core\/esm\/(?:utils\/Floating|core\/utils\/(?:create-scoped-keydown-handler|find-element-ancestor))/,
  /@mantine\/core\/(?:esm\/components|styles)\/(?:Autocomplete|Combobox|NativeSelect|Select|Menu|Popover|Tooltip|ScrollArea|Drawer|Modal|ModalBase|Overlay|FocusTrap|Paper|Notification)[/.]/,
  /@mantine\/hooks\/esm\/use-(?:focus-trap|focus-return|force-update|click-outside|long-press|drag)\//,
  /components\/(?:bulk\/(?!use-)|toast-host|floating\/(?:loaded-|tooltip-host)|dialogs\/(?:sheet-|sheet\.module|dialog|form-dialog|confirm-))/,
  /features\/logs\/(?:log-types|filters\/(?:time-range|filter-chips))\.tsx|IconCalendarTime/,
];

const formModules =
  /node_modules\/(?:@mantine\/form|klona|fast-deep-equal|react-number-format)\/|src\/components\/form\/|@mantine\/core\/(?:esm\/components|styles)\/(?:MultiSelect|NumberInput|PillsInput|Pill|TagsInput|Textarea|Switch)[/.]/;

/** Schemas that forms check their input with. Lists load none: what they need of the contract stands in modules of its own. */
const schemaModules =
  /console\/src\/lib\/validate-form|packages\/contract\/src\/(?:budget|call|fields|input-problem|networks|redemption|token|view|accounts\/(?:binding|email|factor|invitation|oauth|registration|user|user-management)|channels\/(?:channel|channel-bulk|channel-json)|limits\/limits)\.ts/;

/** Modules that pages share. */
const sharedModules =
  /node_modules\/|console\/src\/(?:components|lib)\/|features\/views\/views-button|packages\/contract\/src\//;

/** The queries of all pages, which load while the code of a page does: they import nothing but the shell. */
const pageQueries = /console\/src\/routes\/page-queries\.ts$/;

/** Lists that people go through one after the other, and what the log and the dashboard share with them. */
const listModules =
  /features\/(?:(?!management-keys)[^/]+\/[\w-]+-list-page\.tsx$|channels\/reason-words|logs\/(?:export-button|store\/log-store-(?:notice|query)))|components\/charts\/(?!plot\/)|\/price-unit\.|lib\/(?:list\/use-open-row|format-time-label)|features\/dashboard\/usage-metrics|Icon(?:Download|PlayerPlay)|contract\/src\/export-format/;

const settingsPages = /features\/settings\/(?:settings-page|\w+\/\w+-settings)\.tsx$/;

/** Parts of the settings that the ways to log in have too. */
const identityParts = /features\/(?:second-step\/(?:code-field|passkeys)|verification\/|oauth\/begin-oauth)/;

/** Entries of the log as other pages show them too, without the forms' schemas. */
const logEntries =
  /features\/logs\/(?:log-(?:columns|links|outcome)|seconds-within|refusals\/refusal-words|events\/event-words)\.tsx?$|contract\/src\/logs\/(?:log-detail|refusal-values)\.ts/;

/** Totals and charts of usage, and the alerts on them, which several pages show. */
const usageModules =
  /features\/dashboard\/(?:[\w-]+|wall\/[\w-]+|chart\/[\w-]+|breakdown\/[\w-]+|alerts\/(?:alert-button|alert-rule-queries|rule-metrics))\.tsx?$|contract\/src\/notifications\/alert-rule-constants|IconBellPlus/;

/** One sheet for what most pages look like. The pages themselves have their own. */
const sharedStyles =
  /(?:@mantine\/core\/styles|console\/src\/(?:components|features\/(?:audit|channels|dashboard|invitations|limits|logs|oauth|redemptions|settings|tokens|users|verification|second-step))|node_modules\/uplot)\/.*\.css$/;

/** Texts that pages show together, by the first page that needs them. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  first: ["common", "login", "shell"],
  lists: [
    "channels",
    "channel-reasons",
    "tokens",
    "budgets",
    "limits",
    "logs",
    "dashboard",
    "users",
    "redemptions",
    "invitations",
  ],
  settings: ["settings", "registration", "security"],
  forms: ["channel-form", "channel-shares", "refusals", "profile", "what-if"],
  matrix: ["channel-matrix", "channel-effect"],
  later: ["bulk", "channel-bulk", "management-keys", "palette", "shortcuts", "views"],
};

/** Returns the file that a page's texts are in. */
function textsOf(id: string): string | null {
  const [, language, name = ""] = /locales\/(?<language>[\w-]+)\/(?<name>[\w-]+)\.json$/.exec(id) ?? [];
  const group = Object.entries(TEXTS).find(([, names]) => names.includes(name));
  return group === undefined ? null : `${group[0]}-${language}`;
}

export default defineConfig({
  // The server puts the base path before the addresses in the page; files find each other.
  base: "./",
  plugins: [react(), completePage(), splitComponentStyles(), compileHints(), compressAssets()],
  resolve: {
    // React has had this hook since version 18.
    alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: { "/api": gateway, "/v1": gateway },
  },
  build: {
    outDir: "dist",
    manifest: true,
    target: "es2022",
    // Inlined assets would be data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Calls of these have no effect, so schemas that no form uses are left out.
      treeshake: {
        manualPureFunctions: [
          "z",
          "defineCall",
          "listQuery",
          "searchQuery",
          "idsTextSchema",
          "severalOf",
          "textSchema",
          "jsonText",
        ],
        propertyReadSideEffects: false,
      },
      output: {
        // The first script names every other file, so each character of a name costs some hundred bytes. Seven are 42 bits.
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[hash:7][extname]",
        codeSplitting: {
          // Otherwise a group takes along modules that other pages need without it.
          includeDependenciesRecursively: false,
          groups: [
            { name: "shell", tags: ["$initial"], priority: 4 },
            { name: textsOf, priority: 3 },
            { name: "styles", test: sharedStyles, priority: 3 },
            // An import between these groups goes one way, from the later to the earlier.
            { name: "queries", test: pageQueries, includeDependenciesRecursively: true, priority: 3 },
            { name: "shared", test: sharedModules, minShareCount: 3, priority: 1 },
            {
              name: "floating",
              test: (id) => floatingModules.some((test) => test.test(id)),
              minShareCount: 2,
              priority: 2,
            },
            {
              name: "forms",
              test: (id) => formModules.test(id) || schemaModules.test(id),
              minShareCount: 2,
              priority: 2,
            },
            { name: "usage", test: usageModules, minShareCount: 2, priority: 2 },
            // The matrix and the selected rows of the channels.
            {
              name: "channel-bulk",
              test: /features\/channels\/(?:bulk\/(?:use-bulk|bulk-r\w+-?\w*)|effect\/channels-off-effect)\.tsx?$/,
              priority: 2,
            },
            { name: "identity", test: identityParts, minShareCount: 2, priority: 1 },
            { name: "log-entries", test: logEntries, priority: 2 },
            // With all that they import and that is in no group yet.
            { name: "lists", test: listModules, includeDependenciesRecursively: true },
            { name: "settings", test: settingsPages, includeDependenciesRecursively: true },
          ],
        },
      },
    },
  },
});

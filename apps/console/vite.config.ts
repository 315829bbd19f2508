import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { completePage } from "./build/complete-page.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { splitComponentStyles } from "./build/split-component-styles.ts";

// The Host header stays as the browser sent it, so that the gateway sees its own origin.
const gateway = { target: "http://127.0.0.1:3000", changeOrigin: false };

/** Modules of menus, dialogs, sheets and toasts, which no page needs to show itself. */
const floatingModules = [
  /node_modules\/(?:@floating-ui|react-remove-scroll(?:-bar)?|react-style-singleton|use-callback-ref|use-sidecar|tslib)\//,
  /node_modules\/(?:@mantine\/notifications|react-transition-group)\/|lib\/toasts\/toast-edge/,
  /@mantine\/core\/esm\/utils\/Floating/,
  /@mantine\/core\/(?:esm\/components|styles)\/(?:Combobox|Select|Menu|Popover|Tooltip|ScrollArea|Drawer|Modal|ModalBase|Overlay|FocusTrap|Paper|Notification)[/.]/,
  /@mantine\/hooks\/esm\/use-(?:focus-trap|focus-return|click-outside|long-press|drag)\//,
  /components\/(?:bulk\/(?!use-)|toast-host|floating\/(?:loaded-|tooltip-host)|dialogs\/(?:sheet-|sheet\.module|dialog|form-dialog|confirm-))/,
];

const formModules =
  /node_modules\/(?:@mantine\/form|klona|fast-deep-equal|react-number-format)\/|src\/components\/form\/|@mantine\/core\/(?:esm\/components|styles)\/(?:MultiSelect|NumberInput|PillsInput|Pill|TagsInput|Textarea|Switch)[/.]/;

/** Fields for dates, and the modules of Mantine that only these use. */
const dateModules =
  /node_modules\/(?:@mantine\/dates|dayjs)\/|src\/components\/form\/time\/|@mantine\/core\/(?:esm\/components|styles)\/SimpleGrid[/.]|@mantine\/core\/esm\/core\/utils\/get-(?:breakpoint-value|sorted-breakpoints|base-value)\/|@mantine\/hooks\/esm\/use-disclosure\//;

/** Schemas that forms check their input with. Lists load none: what they need of the contract stands in modules of its own. */
const schemaModules =
  /node_modules\/zod\/|console\/src\/lib\/validate-form|packages\/contract\/src\/(?:budget|call|fields|input-problem|networks|redemption|token|view|accounts\/(?:binding|email|factor|invitation|oauth|registration|user|user-management)|channels\/(?:channel|channel-bulk|channel-json)|limits\/limits|logs\/(?:log-detail|refusal-values))\.ts/;

/** Modules that lists and other pages share. */
const sharedModules =
  /node_modules\/|console\/src\/(?:components|lib)\/|features\/views\/views-button|packages\/contract\/src\//;

export default defineConfig({
  // The server puts the base path before the addresses in the page; files find each other.
  base: "./",
  plugins: [react(), completePage(), splitComponentStyles(), compressAssets()],
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
        manualPureFunctions: ["z", "defineCall", "listQuery", "searchQuery", "textSchema", "jsonText"],
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
            { name: "shell", tags: ["$initial"], priority: 3 },
            { name: "first-zh-CN", test: /locales\/zh-CN\/(?:common|login|shell)\.json/, priority: 2 },
            // An import between these groups goes one way: dates and forms import floating, and all import shared.
            { name: "dates", test: dateModules, priority: 2 },
            { name: "forms", test: formModules, minShareCount: 2, priority: 1 },
            {
              name: "floating",
              test: (id) => floatingModules.some((test) => test.test(id)),
              minShareCount: 2,
              priority: 1,
            },
            { name: "schemas", test: schemaModules, minShareCount: 2, priority: 1 },
            { name: "shared", test: sharedModules, minShareCount: 3 },
          ],
        },
      },
    },
  },
});

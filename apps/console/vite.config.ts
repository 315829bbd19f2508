import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compileCalls } from "./build/compile-calls.ts";
import { completePage } from "./build/complete-page.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { dropUnusedPalettes } from "./build/drop-unused-palettes.ts";
import { dropUnusedStyles } from "./build/drop-unused-styles.ts";
import { refuseCircles } from "./build/refuse-circles.ts";
import { slimZod } from "./build/slim-zod.ts";
import { splitComponentStyles } from "./build/split-component-styles.ts";

// The Host header stays as the browser sent it, so that the gateway sees its own origin.
const gateway = { target: "http://127.0.0.1:3000", changeOrigin: false };

/** What opens over a page: lists, menus, boxes, sheets, dialogs, toasts. It loads once the page stands. */
const floatingModules = [
  /node_modules\/(?:@floating-ui|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|tslib)/,
  /node_modules\/(?:@mantine\/notifications|react-transition-group)|components\/toast-host|lib\/toasts\/toast-edge/,
  /@mantine\/core\/esm\/utils\/Floating/,
  /@mantine\/core\/(?:esm\/components|styles)\/(?:Combobox|Select|Menu|Popover|Tooltip|ScrollArea|Drawer|Modal|ModalBase|Overlay|FocusTrap|Paper|Notification)[/.]/,
  /@mantine\/hooks\/esm\/use-(?:focus-trap|focus-return|click-outside|long-press|drag)\//,
  /node_modules\/@babel\/runtime|@mantine\/core\/esm\/(?:core\/utils\/get-context-item-index|components\/(?:Radio\/RadioIcon|Transition\/get-transition-props))/,
  /components\/(?:floating\/(?:loaded-|tooltip-host)|dialogs\/(?:sheet-panel|sheet\.module|dialog|form-dialog))/,
];

/** What only the pages with a form need. */
const formModules =
  /node_modules\/(?:@mantine\/form|klona|fast-deep-equal|react-number-format)|src\/components\/form\/|@mantine\/core\/(?:esm\/components|styles)\/(?:MultiSelect|NumberInput|PillsInput|Pill|TagsInput|Textarea|Switch)[/.]/;

/** Fields for dates, with what of Mantine nothing else has. */
const dateModules =
  /node_modules\/(?:@mantine\/dates|dayjs)\/|@mantine\/core\/(?:esm\/components|styles)\/SimpleGrid[/.]|@mantine\/core\/esm\/core\/utils\/get-(?:breakpoint-value|sorted-breakpoints|base-value)\/|@mantine\/hooks\/esm\/use-disclosure\//;

export default defineConfig({
  plugins: [
    react(),
    completePage(),
    splitComponentStyles(),
    compileCalls(),
    slimZod(),
    dropUnusedPalettes(),
    dropUnusedStyles(),
    refuseCircles(),
    compressAssets(),
  ],
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
      output: {
        // The first script names every other file: names of hashes alone, which the manifest explains, save it most of a kilobyte, and each
        // character of them some hundred bytes. Seven are 42 bits.
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[hash:7][extname]",
        // What every page needs comes in one script and one style sheet: in two, libraries apart, a first visit would load three
        // kilobytes more, and only a visit after an upgrade less. What several pages share comes in two more.
        codeSplitting: {
          // Else a group would take along what others need without it.
          includeDependenciesRecursively: false,
          groups: [
            { name: "shell", tags: ["$initial"], priority: 3 },
            { name: "first-zh-CN", test: /locales\/zh-CN\/(?:common|login|shell)\.json/, priority: 2 },
            { name: "floating", test: (id) => floatingModules.some((pattern) => pattern.test(id)), priority: 2 },
            {
              name: "widgets",
              test: /node_modules\/(?:@mantine\/(?:core|hooks)|@tabler\/icons-react|@tanstack\/react-\w+)\//,
              minShareCount: 3,
              priority: 1,
            },
            {
              name: "parts",
              test: /console\/src\/(?:components\/(?!form\/|content\/|bulk\/(?!use-))|lib\/)|console\/src\/features\/views\/views-button|packages\/contract\/src\/(?:channels\/channel|prices\/model|fields)\.ts/,
              minShareCount: 3,
              priority: 1,
            },
            // What the list of channels has in common with the page and the form of one.
            {
              name: "channels",
              test: /features\/channels\/(?:list\/|channel-(?:queries|mutations)|last-test)|contract\/src\/channels\/channel-bulk|floating\/popover-button|IconChartPie/,
              minShareCount: 2,
              priority: 1,
            },
            { name: "dates", test: dateModules, minShareCount: 2, priority: 2 },
            // Before the widgets, as no list needs a field for numbers; and fields for several choices need what floats, which needs the widgets.
            { name: "forms", test: formModules, minShareCount: 2, priority: 2 },
          ],
        },
      },
    },
  },
});

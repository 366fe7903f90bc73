import { defineConfig } from "vitest/config";

// Home Assistant asks for panel.js by the digest of its content. All else is named by its own content, and nothing imports
// panel.js, which the browser would otherwise load a second time under its plain address.
export default defineConfig({
  base: "./",
  publicDir: false,
  // Lit's licence wants its notice to go with it.
  esbuild: { legalComments: "eof" },
  build: {
    outDir: "../custom_components/bellboard/frontend",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    sourcemap: false,
    reportCompressedSize: true,
    rollupOptions: {
      input: "src/panel.ts",
      preserveEntrySignatures: false,
      output: {
        format: "es",
        entryFileNames: "panel.js",
        chunkFileNames: "chunks/[name]-[hash].js",
        manualChunks: (id) => {
          if (id.includes("/translations/")) return undefined;
          return SHARED.some((part) => id.includes(part)) ? "app" : undefined;
        },
      },
    },
  },
  test: { environment: "node", include: ["test/**/*.test.ts"] },
});

const SHARED = [
  "/node_modules/lit",
  "/node_modules/@lit/",
  "vite/preload-helper",
  "/src/app.ts",
  "/src/context.ts",
  "/src/elements/",
  "/src/turns/",
];

import { defineConfig } from "vite";

// `npm run dev` serves the page without Home Assistant, at /bellboard. dev.ts says what can be asked for.
export default defineConfig({
  root: new URL(".", import.meta.url).pathname,
  appType: "spa",
  server: { host: "127.0.0.1", port: 5173, fs: { allow: [".."] } },
});

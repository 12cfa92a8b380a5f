import { readFileSync } from "node:fs";
import type { KnipConfig } from "knip";

/** Files that scripts of package.json run with `node env/run.mjs`, by themselves or in a group of env/scripts.json. */
const scripts = ["package.json", "env/scripts.json"].flatMap((file) => [
  ...readFileSync(file, "utf8").matchAll(/(?:env\/run\.mjs |": ")([\w/.-]+\.ts)/g),
]);

export default {
  // what runs by its file name: commands, worker threads, child processes, scripts of package.json and of READMEs
  entry: [
    ...scripts.map(([, file]) => file!),
    "agents/model-process-entry.mjs",
    "server/cli/run.ts",
    "env/worker-entry.mjs",
    "server/threads/*-worker.ts",
    "server/page/client/*.{ts,tsx}",
    "server/page/**/*worker.ts",
    "server/site/vitepress/**/*.mjs",
    "server/session/*worker.ts",
    "training/**/*worker*.ts",
    "training/arena/*-report.ts",
    "test/runner.mjs",
    "test/cpu-time.ts",
    "test/**/*.test.ts",
    "test/**/*-{child,worker,faulty}.ts",
    "test/**/{endings,scale,speed,used,worth}.ts",
    "test/conformance/wire/world.ts",
    "test/server/{serve-toys,toys,stepper}.ts",
  ],
  project: ["{env,agents,server,training,test}/**/*.{ts,tsx,mjs}"],
  ignoreExportsUsedInFile: true,
  // files of these packages are read by their path
  // vitepress: of server/site/package.json, which `npm run docs` installs
  ignoreDependencies: ["@expo-google-fonts/*", "@fontsource/*", "axe-core", "vitepress"],
} satisfies KnipConfig;

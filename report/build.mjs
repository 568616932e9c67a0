// node build.mjs OUTPUT: bundles src/ into one page without data, which the library embeds.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUTPUT");

const bundle = async (entry, options) => {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    legalComments: "none",
    target: ["es2020"],
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text;
};
const script = (await bundle("main.ts", { format: "iife" })).replaceAll("</script", "<\\/script");
const style = (await bundle("style.css", {})).replaceAll("</style", "<\\/style");

// The page may run this script and no other, whatever the data are called, and may fetch nothing.
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

const parts = { __POLICY__: policy, __STYLE__: style, __SCRIPT__: script, __LICENCES__: licences() };
const template = readFileSync(join(here, "src", "page.html"), "utf8");
const page = template.replace(/__(?:POLICY|STYLE|SCRIPT|LICENCES)__/g, (place) => parts[place]);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

// The licences of what is bundled ask to be named beside it.
function licences() {
  const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
  return Object.entries(lock.packages)
    .filter(([path, one]) => path && !one.dev && !one.devOptional && !one.optional)
    .map(([path, one]) => `${path.replace(/^.*node_modules\//, "")} ${one.version} (${one.license})`)
    .join(", ");
}

// node build.mjs OUTPUT: bundles src/ into one page without data, which the library embeds.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUTPUT");

const bundle = (entry, options) => {
  return build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    legalComments: "none",
    target: ["es2020"],
    logLevel: "warning",
    metafile: true,
    ...options,
  });
};
const code = await bundle("main.ts", { format: "iife" });
const script = code.outputFiles[0].text.replaceAll("</script", "<\\/script");
const style = (await bundle("style.css")).outputFiles[0].text.replaceAll("</style", "<\\/style");

// The page may run this script and no other, whatever the data are called, and may fetch nothing.
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

const parts = { __POLICY__: policy, __STYLE__: style, __SCRIPT__: script, __LICENCES__: licences() };
const template = readFileSync(join(here, "src", "page.html"), "utf8");
const page = template.replace(/__(?:POLICY|STYLE|SCRIPT|LICENCES)__/g, (place) => parts[place]);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

// What is bundled asks that its licence stands beside it; many packages share one.
function licences() {
  const packages = new Map();
  for (const path of Object.keys(code.metafile.inputs)) {
    const name = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
    if (name) packages.set(name, licence(join(here, "node_modules", name)));
  }
  const texts = new Map();
  for (const [name, text] of packages) texts.set(text, [...(texts.get(text) ?? []), name]);
  return [...texts]
    .map(([text, names]) => `${names.join(", ")}:\n\n${text}`)
    .join("\n\n")
    .replaceAll("--", "- -");
}

function licence(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no licence to put into the page`);
  return readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim();
}

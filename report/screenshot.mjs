// node screenshot.mjs REPORT.html OUT.png light|dark: the upper part of a report, for the README. Set CHROMIUM where it is
// not /usr/bin/chromium.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, output, colorScheme] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1180, height: 1400 }, colorScheme });
await page.goto(pathToFileURL(resolve(report)).href);
const { y, height } = await page.locator("#curve").boundingBox();
await page.screenshot({ path: output, clip: { x: 0, y: 0, width: 1180, height: y + height + 16 } });
await browser.close();

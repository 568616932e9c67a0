// What the tests share: reports made by the program, opened in a real browser that watches for errors and requests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { LASS0_PROGRAM, CHROMIUM, SCREENSHOTS } = process.env;
assert.ok(LASS0_PROGRAM && CHROMIUM, "set LASS0_PROGRAM and CHROMIUM to the two programs, or run ctest");

export class Lab {
  static async open() {
    const lab = new Lab();
    lab.folder = mkdtempSync(join(tmpdir(), "lass0_report_"));
    // Nobody but these tests feeds this browser, and containers have no sandbox to give.
    lab.browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    return lab;
  }
  async close() {
    await this.browser.close();
    rmSync(this.folder, { recursive: true });
  }

  path(name) {
    return join(this.folder, name);
  }
  // A command as one types it; where a word has spaces, the list of its words.
  run(command) {
    const words = Array.isArray(command) ? command : command.split(" ");
    return execFileSync(LASS0_PROGRAM, words, { cwd: this.folder, encoding: "utf8", maxBuffer: 1 << 28 });
  }
  json(command) {
    return JSON.parse(this.run(`${command} --format json`));
  }

  // Opens a report and gives it to `look`; afterwards nothing may have gone wrong or been fetched,
  // but for what the test expects.
  async visit(name, look, { colorScheme = "light", width = 1240, expected = [] } = {}) {
    const context = await this.browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const troubles = [];
    const url = pathToFileURL(this.path(name)).href;
    page.on("console", (message) => troubles.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== url && !request.url().startsWith("data:"))
        troubles.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await page.waitForSelector("#repeat");
    await look(page);
    troubles.push(...(await page.evaluate(badlyDrawn)));
    const unexpected = troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)));
    assert.deepEqual(unexpected, []);
    await context.close();
  }

  async screenshot(page, name) {
    if (!SCREENSHOTS) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, name), fullPage: true });
  }
}

// Numbers that went wrong, and texts that stick out of their part of the page. Runs in the page.
function badlyDrawn() {
  const list = [];
  const broken = /NaN|Infinity|undefined/;
  if (broken.test(document.querySelector("#answer, #methods, #frequencies").innerText))
    list.push("a number in the table");
  for (const element of document.querySelectorAll("svg *")) {
    for (const { name, value } of element.attributes)
      if (broken.test(value)) list.push(`${element.tagName} ${name}="${value}"`);
  }
  for (const card of document.querySelectorAll(".card")) {
    const { left, right } = card.getBoundingClientRect();
    for (const text of card.querySelectorAll("svg text")) {
      const box = text.getBoundingClientRect();
      const inTip = text.closest('[aria-label="tip"]');
      if (!inTip && box.width > 0 && (box.left < left || box.right > right))
        list.push(`${card.id}: "${text.textContent}" sticks out`);
    }
  }
  return list;
}

// The data in a page, as the page reads them.
export const payload = (page) =>
  page.evaluate(() => JSON.parse(document.getElementById("report-data").textContent));

// The marks of one kind in a part of the page: circles, paths or rectangles.
export const marks = (page, part, kind) => page.locator(`#${part} svg [aria-description="${kind}"] > *`);

export const shownSize = (page) => page.locator(".shown-k").textContent();

// What the table says: [column, coefficient as printed].
export const shownModel = (page) =>
  page
    .locator("#answer tbody tr")
    .evaluateAll((rows) => rows.map((row) => [row.children[0].textContent, row.children[1].textContent]));

// A number that the page has printed.
export const parse = (text) => Number(text.replace(/−/g, "-"));

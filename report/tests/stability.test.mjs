// The report of stability selection: every frequency, the threshold, and what the bound is not.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab, marks, parse } from "./browser.mjs";

const STABILITY = "stability data.csv --target y --k 4 --pairs 20 --threshold 0.7";

let lab, result;
before(async () => {
  lab = await Lab.open();
  lab.run("simulate --n 150 --p 30 --k 4 --rho 0.6 --seed 1 --output data.csv");
  lab.run(`${STABILITY} --report stability.html`);
  lab.run("stability data.csv --target y --lambda 1e9 --pairs 3 --report none.html");
  result = lab.json(STABILITY);
});
after(() => lab.close());

test("every column that was chosen has a bar, the most frequent first", () =>
  lab.visit("stability.html", async (page) => {
    const chosen = result.columns.filter((column) => column.frequency > 0);
    assert.equal(await marks(page, "frequencies", "frequencies").count(), chosen.length);
    assert.deepEqual(
      (await marks(page, "frequencies", "names").allTextContents())
        .map((text, i) => text.replace(chosen[i].name, ""))
        .filter((rest, i) => rest !== "" && rest !== chosen[i].name),
      [],
    );
    const shares = await marks(page, "frequencies", "shares").allTextContents();
    assert.deepEqual(
      shares,
      chosen.map((column) => column.frequency.toFixed(2)),
    );
    assert.equal(await marks(page, "frequencies", "threshold").count(), 1);
    await lab.screenshot(page, "stability.png");
  }));

test("dark bars are those that reach the threshold, and the title counts them", () =>
  lab.visit("stability.html", async (page) => {
    const stable = result.columns.filter((column) => column.frequency >= 0.7).length;
    assert.ok(stable > 0);
    const opaque = await marks(page, "frequencies", "frequencies").evaluateAll(
      (bars) => bars.filter((bar) => (bar.getAttribute("fill-opacity") ?? "1") === "1").length,
    );
    assert.equal(opaque, stable);
    assert.match(await page.locator("h1").textContent(), new RegExp(`^y: ${stable} stable columns? of 30$`));
  }));

test("the bound is that of the program, and the page says what it is not", () =>
  lab.visit("stability.html", async (page) => {
    const values = (await page.locator("#bound dd").allTextContents()).map(parse);
    assert.equal(values[1], 30);
    assert.ok(Math.abs(values[4] - result.expected_low_probability) <= 0.06 * values[4]);
    assert.ok(Math.abs(values[5] - result.expected_low_probability_r_concave) <= 0.06 * values[5]);
    assert.match(await page.locator("#bound").innerText(), /not a bound on false columns/);
  }));

test("a page without any chosen column says so", () =>
  lab.visit("none.html", async (page) => {
    assert.equal(await marks(page, "frequencies", "frequencies").count(), 0);
    assert.match(await page.locator("#frequencies").innerText(), /No half chose/);
  }));

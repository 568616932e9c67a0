// The report of a fit, and its map of near-optimal models.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab, marks, parse, payload, shownModel } from "./browser.mjs";

const FIT = "fit data.csv --target y --k 5 --prove --within 6%";

let lab;
before(async () => {
  lab = await Lab.open();
  lab.run("simulate --n 120 --p 30 --k 6 --rho 0.9 --snr 2 --seed 4 --output data.csv");
  lab.run(`${FIT} --report near.html`);
  lab.run("fit data.csv --target y --lambda 1 --report plain.html");
  lab.run("fit data.csv --target y --k 0 --prove --within 0 --report empty.html");
});
after(() => lab.close());

test("the report of a fit shows its model, and no map that was not asked for", () =>
  lab.visit("plain.html", async (page) => {
    const fit = lab.json("fit data.csv --target y --lambda 1");
    assert.equal(await page.locator("h1").textContent(), `y, explained by ${fit.k} of 30 columns`);
    const names = (await shownModel(page)).map(([name]) => name);
    assert.deepEqual(names.sort(), [...fit.support, "(intercept)"].sort());
    assert.equal(await page.locator("#near-optimal").count(), 0);
    assert.ok((await marks(page, "sizes", "sizes").count()) > fit.k);
  }));

test("the map has a mark for each column of each model", () =>
  lab.visit("near.html", async (page) => {
    const { near_optimal: near } = lab.json(FIT);
    assert.ok(near.complete && near.count > 5, `${near.count} models`);
    const drawn = near.models.slice(0, 120);
    const shown = near.columns.filter((one) => ["always", "interchangeable"].includes(one.class));
    assert.ok(shown.length <= 40);
    assert.equal(
      await marks(page, "near-optimal", "near-optimal").count(),
      drawn.reduce((sum, model) => sum + model.support.length, 0),
    );
    const names = await page.locator("#near-optimal svg [aria-description=names] text").allTextContents();
    assert.equal(names.length, shown.length);
    const bold = await page
      .locator('#near-optimal svg [aria-description=names] text[font-weight="700"]')
      .allTextContents();
    const always = shown.filter((one) => one.class === "always").map((one) => one.name);
    assert.deepEqual(
      bold.map((text) => text.split("\n")[0]).sort(),
      // The title of a name, shown on hover, is part of its text.
      always.map((name) => `${name}${name}`).sort(),
    );
    const prices = await page.locator("#near-optimal svg [aria-description=prices] text").allTextContents();
    const data = (await payload(page)).near_optimal;
    data.columns.forEach((one, i) => {
      const value = data.models[0].support.includes(one.column) ? one.price_out : one.price_in;
      const printed = parse(prices[i].replace(/^(in|out) /, ""));
      assert.ok(Math.abs(printed - value) <= 6e-3 * value, `${prices[i]}, not ${value}`);
    });
    await lab.screenshot(page, "near_optimal.png");
  }));

test("a click on a model shows its columns and its objective", () =>
  lab.visit("near.html", async (page) => {
    const { near_optimal: near } = lab.json(FIT);
    const detail = page.locator("#near-optimal .near-model");
    assert.match(await detail.textContent(), /^Model 1: 5 columns, objective .*, the best model/);
    const svg = page.locator("#near-optimal svg").first();
    const last = Math.min(near.models.length, 120) - 1;
    const cells = await marks(page, "near-optimal", "near-optimal").all();
    await cells[cells.length - 1].click();
    assert.match(await detail.textContent(), new RegExp(`^Model ${last + 1}: 5 columns`));
    const chips = await detail.locator(".chip").allTextContents();
    const kept = chips.filter((name) => !name.startsWith("−")).map((name) => name.replace("+", ""));
    assert.deepEqual(kept.sort(), [...near.models[last].support].sort());
    const objective = (await detail.textContent()).match(/objective ([^,]*),/)[1];
    assert.ok(Math.abs(parse(objective) / near.models[last].objective - 1) < 1e-5);
    assert.equal(await svg.locator('[aria-description=near-optimal] > [fill="var(--accent)"]').count(), 5);
  }));

test("on a telephone and where there is nothing to draw it still reads", async () => {
  await lab.visit("near.html", async () => {}, { width: 390, colorScheme: "dark" });
  await lab.visit("empty.html", async (page) =>
    assert.match(await page.locator("#near-optimal").textContent(), /No other model is within 0/),
  );
});

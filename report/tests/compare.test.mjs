// The report of a comparison: the table, both rules, and every fold.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab, marks, parse } from "./browser.mjs";

const COMPARE = "compare data.csv --target y --truth truth.txt --outer 4 --inner 4";

let lab, result;
before(async () => {
  lab = await Lab.open();
  lab.run("simulate --n 100 --p 12 --k 3 --rho 0.5 --seed 1 --truth truth.txt --output data.csv");
  lab.run(`${COMPARE} --report compare.html`);
  result = lab.json(COMPARE);
});
after(() => lab.close());

const errorOf = (name, rule) => result.methods.find((method) => method.name === name)[rule].nrmse.mean;

const shownErrors = (page) =>
  page
    .locator("#methods tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [row.children[0].textContent, row.children[1].firstChild.textContent]),
    );

test("methods are ranked by their error, for either rule", () =>
  lab.visit("compare.html", async (page) => {
    for (const [button, rule] of [
      ["least error", "min"],
      ["one-se rule", "1se"],
    ]) {
      await page.getByRole("button", { name: button }).click();
      const shown = await shownErrors(page);
      assert.equal(shown.length, result.methods.length);
      const errors = shown.map(([, error]) => parse(error));
      assert.deepEqual(
        errors,
        [...errors].sort((a, b) => a - b),
      );
      for (const [name, error] of shown) {
        const expected = errorOf(name, rule);
        assert.ok(Math.abs(parse(error) - expected) <= 1e-3 * expected, `${name}: ${error}, not ${expected}`);
      }
    }
    await lab.screenshot(page, "compare.png");
  }));

test("every fold of every method is a dot, and the truth is marked", () =>
  lab.visit("compare.html", async (page) => {
    assert.equal(await marks(page, "folds", "folds").count(), 4 * result.methods.length);
    assert.equal(await marks(page, "trade-off", "methods").count(), result.methods.length);
    const names = await marks(page, "choices", "names").allTextContents();
    assert.equal(names.filter((name) => name.startsWith("●")).length, 3);
  }));

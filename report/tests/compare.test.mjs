// The report of a comparison: the table, all rules, and every fold.
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

test("methods are ranked by their error, for every rule", () =>
  lab.visit("compare.html", async (page) => {
    for (const [button, rule] of [
      ["min: lowest error", "min"],
      ["1se: within one standard error", "1se"],
      ["paired: not clearly worse", "paired"],
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

test("only what the folds can't tell from the best is bold, and the difference is shown", () =>
  lab.visit("compare.html", async (page) => {
    for (const [button, rule] of [
      ["min: lowest error", "min"],
      ["1se: within one standard error", "1se"],
      ["paired: not clearly worse", "paired"],
    ]) {
      await page.getByRole("button", { name: button }).click();
      const shown = await page.locator("#methods tbody tr").evaluateAll((rows) =>
        rows.map((row) => ({
          name: row.children[0].textContent,
          bold: getComputedStyle(row.children[1]).fontWeight === "700",
          difference: row.children[2].textContent,
        })),
      );
      for (const { name, bold, difference } of shown) {
        const { to_best } = result.methods.find((method) => method.name === name)[rule];
        assert.equal(bold, !to_best.distinct, name);
        const [mean, se] = difference.split("±").map(parse);
        assert.ok(Math.abs(mean - to_best.mean) <= 0.06 * to_best.mean, `${name}: ${difference}`);
        if (se) assert.ok(Math.abs(se - to_best.se) <= 0.06 * to_best.se, `${name}: ${difference}`);
      }
    }
    assert.match(await page.locator("#methods").innerText(), /Bold: the best method, and those/);
  }));

test("no name hides a point of error against size", () =>
  lab.visit("compare.html", async (page) => {
    const boxes = (kind) =>
      marks(page, "trade-off", kind).evaluateAll((all) =>
        all.map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { left, right, top, bottom, text: one.textContent };
        }),
      );
    for (const button of ["1se: within one standard error", "min: lowest error"]) {
      await page.getByRole("button", { name: button }).click();
      const [dots, names] = [await boxes("methods"), await boxes("method names")];
      assert.equal(names.length, result.methods.length);
      for (const name of names)
        for (const dot of dots)
          assert.ok(
            name.left >= dot.right ||
              dot.left >= name.right ||
              name.top >= dot.bottom ||
              dot.top >= name.bottom,
            `${name.text} hides a point`,
          );
    }
  }));

test("every fold of every method is a dot, and the truth is marked", () =>
  lab.visit("compare.html", async (page) => {
    assert.equal(await marks(page, "folds", "folds").count(), 4 * result.methods.length);
    assert.equal(await marks(page, "trade-off", "methods").count(), result.methods.length);
    const names = await marks(page, "choices", "names").allTextContents();
    assert.equal(names.filter((name) => name.startsWith("●")).length, 3);
  }));

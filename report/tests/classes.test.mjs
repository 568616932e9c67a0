// The page of a target of two classes: what it draws is what the program found.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Lab, marks, parse, payload } from "./browser.mjs";

const CV = "cv loans.csv --target default --family binomial --tune k";
const AUC = `${CV} --measure auc --rule min`;

let lab;
before(async () => {
  lab = await Lab.open();
  lab.run("simulate --family binomial --n 400 --p 15 --k 4 --rho 0.4 --seed 5 --output numbers.csv");
  const [head, ...rows] = readFileSync(lab.path("numbers.csv"), "utf8").trim().split("\n");
  const y = head.split(",").indexOf("y");
  const named = rows.map((row) => {
    const cells = row.split(",");
    cells[y] = Number(cells[y]) > 0 ? "yes" : "no";
    return cells.join(",");
  });
  writeFileSync(lab.path("loans.csv"), [head.replace(/\by\b/, "default"), ...named].join("\n") + "\n");
  lab.run(`${CV} --report cv.html`);
  lab.run(`${AUC} --report auc.html`);
  lab.run("path loans.csv --target default --family binomial --max-k 8 --report path.html");
  lab.run("fit loans.csv --target default --family binomial --k 3 --report fit.html");
});
after(() => lab.close());

const tile = (page, label) =>
  page.locator(".tile", { hasText: label }).first().locator("strong").textContent();

test("coefficients have odds ratios, and the formula is that of the log-odds", () =>
  lab.visit("cv.html", async (page) => {
    const { model } = lab.json(CV);
    const rows = await page
      .locator("#answer tbody tr:not(.intercept)")
      .evaluateAll((all) =>
        all.map((row) => [row.children[0].textContent, row.querySelector(".odds").textContent]),
      );
    assert.equal(rows.length, model.k);
    for (const [name, odds] of rows) {
      const expected = Math.exp(model.coefficients[name]);
      assert.ok(Math.abs(parse(odds) - expected) <= 1e-3 * expected, `${name}: ${odds}, not ${expected}`);
    }
    assert.match(await page.locator("#answer .formula").textContent(), /^log-odds of default = yes ≈/);
    assert.doesNotMatch(await page.locator("main").innerText(), /RSS|R²/);
    const explained = 1 - model.deviance / model.null_deviance;
    const shown = parse(await tile(page, "deviance explained on the rows of the fit"));
    assert.ok(Math.abs(shown - explained) < 1e-3, `${shown}, not ${explained}`);
    await lab.screenshot(page, "classes_light.png");
  }));

test("the ROC curve goes from corner to corner, and AUC is the area under it", () =>
  lab.visit("cv.html", async (page) => {
    const { held_out } = await payload(page);
    assert.deepEqual(held_out.roc[0], [0, 0, null]);
    assert.deepEqual(held_out.roc.at(-1).slice(0, 2), [1, 1]);
    let area = 0;
    held_out.roc.slice(1).forEach(([x, y], i) => {
      area += ((x - held_out.roc[i][0]) * (y + held_out.roc[i][1])) / 2;
    });
    assert.ok(Math.abs(area - held_out.auc) < 2e-3);
    const title = await page.locator("#roc h2").textContent();
    assert.ok(Math.abs(parse(title.match(/[\d.]+$/)[0]) - held_out.auc) < 1e-3, title);
    assert.equal(await marks(page, "roc", "roc").count(), 1);
    assert.equal(await marks(page, "roc", "threshold 0.5").count(), 1);
    const plot = await page.locator("#roc svg").boundingBox();
    for (const path of await page.locator("#roc svg path").all()) {
      const box = await path.boundingBox();
      assert.ok(!box || (box.y >= plot.y && box.y + box.height <= plot.y + plot.height), JSON.stringify(box));
    }
  }));

test("every group of the calibration has a point and an interval", () =>
  lab.visit("cv.html", async (page) => {
    const { held_out } = await payload(page);
    assert.equal(held_out.calibration.length, 10);
    assert.equal(
      held_out.calibration.reduce((sum, bin) => sum + bin.rows, 0),
      400,
    );
    assert.equal(await marks(page, "calibration", "groups").count(), 10);
    assert.equal(await marks(page, "calibration", "intervals").count(), 10);
  }));

test("the tables at 0.5 count all rows, and that of the fit follows the model shown", () =>
  lab.visit("cv.html", async (page) => {
    const { model } = lab.json(CV);
    const read = () =>
      page
        .locator("#confusion table")
        .evaluateAll((tables) =>
          tables.map((table) =>
            [...table.querySelectorAll("tbody tr")].map((row) =>
              [...row.querySelectorAll("td")].slice(0, 2).map((cell) => Number(cell.textContent)),
            ),
          ),
        );
    const [heldOut, fitted] = await read();
    const { held_out, models, shown } = await payload(page);
    assert.deepEqual(heldOut, held_out.confusion);
    assert.deepEqual(fitted, models[shown].confusion);
    assert.equal(
      fitted.flat().reduce((a, b) => a + b),
      400,
    );
    assert.equal(models[shown].k, model.k);
    await page.getByRole("slider").fill("0");
    const [same, empty] = await read();
    assert.deepEqual(same, heldOut);
    assert.deepEqual(empty, models[0].confusion);
    assert.ok(empty.some(([no, yes]) => no === 0 || yes === 0));
  }));

test("rows have probabilities and deviance residuals", () =>
  lab.visit("cv.html", async (page) => {
    assert.equal(await marks(page, "rows", "residuals").count(), 400);
    assert.ok((await marks(page, "rows", "probabilities").count()) > 2);
    assert.match(await page.locator("#rows .legend").innerText(), /no\s+yes/);
  }));

test("the axis of the curve names the measure", async () => {
  await lab.visit("cv.html", async (page) => {
    assert.match(await page.locator("#curve svg").textContent(), /deviance per row on held-out rows/);
    assert.ok(parse(await tile(page, "deviance explained on held-out rows")) > 0);
  });
  await lab.visit("auc.html", async (page) => {
    assert.match(await page.locator("#curve svg").textContent(), /1 - area under the ROC curve/);
    assert.ok(Math.abs(parse(await tile(page, "error with no column")) - 0.5) < 0.1);
    assert.equal(await page.getByText("deviance explained on held-out rows").count(), 0);
  });
});

test("pages without held-out rows have the table at 0.5 of the fit alone", async () => {
  for (const name of ["path.html", "fit.html"]) {
    await lab.visit(name, async (page) => {
      assert.equal(await page.locator("#roc, #calibration").count(), 0);
      assert.equal(await page.locator("#confusion table").count(), 1);
    });
  }
});

test("it fits on a telephone, and works in the dark", async () => {
  await lab.visit("cv.html", (page) => lab.screenshot(page, "classes_dark.png"), { colorScheme: "dark" });
  await lab.visit(
    "cv.html",
    async (page) => {
      const [page_width, window_width] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        window.innerWidth,
      ]);
      assert.ok(page_width <= window_width, `${page_width} of ${window_width}`);
      const names = await page.locator("#answer tbody th").all();
      const odds = await page.locator("#answer tbody .odds").all();
      for (const [i, cell] of odds.entries()) {
        const [name, box] = [await names[i].boundingBox(), await cell.boundingBox()];
        assert.ok(Math.abs(name.y - box.y) < name.height, "an odds ratio is on another line than its column");
      }
      await lab.screenshot(page, "classes_phone.png");
    },
    { width: 390 },
  );
});

// The page shows what the program found, and its controls work.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Lab, marks, parse, payload, shownModel, shownSize } from "./browser.mjs";

const CV = "cv data.csv --target y";
const RIDGE = `${CV} --tune k --rule 1se --ridge auto --max-k 10`;
const PAPER = `${CV} --start paper --folds 3 --lambdas 10`;
const BIC = `${CV} --criterion bic`;

let lab;
before(async () => {
  lab = await Lab.open();
  lab.run("simulate --n 200 --p 50 --k 5 --rho 0.9 --seed 1 --output data.csv");
  lab.run(`${CV} --report cv.html`);
  lab.run(`${CV} --inference splits --report splits.html`);
  lab.run(`${CV} --model model.json --report intervals.html`);
  lab.run(`${RIDGE} --report ridge.html`);
  lab.run(`${PAPER} --report paper.html`);
  lab.run(`${BIC} --report bic.html`);
  lab.run("path data.csv --target y --max-k 8 --report path.html");
});
after(() => lab.close());

const fitOfSize = (k, ridge = 0) => lab.json(`fit data.csv --target y --k ${k} --ridge ${ridge}`);
const chosenRidge = () => lab.json(CV).chosen.ridge;
const atChosenRidge = ({ points, chosen }) => points.filter((point) => point.ridge === points[chosen].ridge);

async function expectModel(page, fit) {
  const shown = new Map(await shownModel(page));
  const { coefficients, intercept } = fit;
  assert.deepEqual([...shown.keys()].sort(), [...Object.keys(coefficients), "(intercept)"].sort());
  for (const [name, value] of Object.entries({ ...coefficients, "(intercept)": intercept }))
    assert.ok(
      Math.abs(parse(shown.get(name)) - value) <= 1e-5 * Math.abs(value),
      `${name}: ${shown.get(name)}, not ${value}`,
    );
}

test("the answer comes first, and is the one that was chosen", () =>
  lab.visit("cv.html", async (page) => {
    const { model } = lab.json(CV);
    assert.equal(await page.locator("h1").textContent(), `y, explained by ${model.k} of 50 columns`);
    assert.equal(await page.locator("main > section").first().getAttribute("id"), "answer");
    await expectModel(page, model);
    await lab.screenshot(page, "light.png");
  }));

test("each column says how many folds chose it, and only in the chosen model", () =>
  lab.visit("cv.html", async (page) => {
    const { frequencies } = lab.json(CV).model;
    const shown = await page
      .locator("#answer tbody tr:not(.intercept)")
      .evaluateAll((rows) =>
        rows.map((row) => [row.children[0].textContent, row.querySelector(".folds").textContent]),
      );
    assert.deepEqual(
      Object.fromEntries(shown),
      Object.fromEntries(
        Object.entries(frequencies).map(([name, share]) => [name, `${Math.round(10 * share)} of 10`]),
      ),
    );
    await page.getByRole("button", { name: "One column more" }).click();
    assert.equal(await page.locator("#answer td.folds", { hasText: "of 10" }).count(), 0);
  }));

test("R² is that on held-out rows and that on the rows of the fit, and 0 without columns", () =>
  lab.visit("cv.html", async (page) => {
    const tile = async (label) =>
      parse(await page.locator(".tile", { hasText: label }).locator("strong").textContent());
    const { r_squared_held_out, r_squared_fit, null_error } = lab.json(CV);
    const near = (shown, value) => assert.ok(Math.abs(shown - value) < 6e-4, `${shown}, not ${value}`);
    near(await tile("R² on held-out rows"), r_squared_held_out);
    near(await tile("R² on the rows of the fit"), r_squared_fit);
    await page.getByRole("slider").fill("0");
    assert.equal(await tile("R² on held-out rows"), 0);
    assert.equal(await tile("R² on the rows of the fit"), 0);
    near(await tile("error on held-out rows"), null_error);
    // No point of the curve is its own: at every lambda of it some fold has a column.
    const { curve } = await payload(page);
    const own = curve.points.filter((point) => point.k === 0 && point.size === 0).length;
    assert.equal(await marks(page, "curve", "shown").count(), own > 0 ? 1 : 0);
  }));

test("every plot has a mark for each thing it is about", () =>
  lab.visit("cv.html", async (page) => {
    const data = await payload(page);
    const expectMarks = async (sizes) => {
      const drawn = data.models.filter((model) => model.of_table && model.k < sizes);
      assert.equal(await marks(page, "sizes", "sizes").count(), drawn.length);
      assert.equal(
        await marks(page, "sizes", "lambda ranges").count(),
        drawn.filter((model) => model.on_envelope).length,
      );
      assert.equal(
        await marks(page, "coefficients", "effects").count(),
        drawn.flatMap((model) => model.support).length,
      );
      const curve = atChosenRidge(data.curve).filter((point) => point.size < sizes);
      assert.equal(await marks(page, "curve", "points").count(), curve.length);
      assert.equal(await marks(page, "curve", "one standard error").count(), 1);
    };
    await expectMarks(21);
    assert.equal(await marks(page, "entries", "entries").count(), 210);
    await page.getByRole("button", { name: "All sizes" }).click();
    await expectMarks(51);
    assert.equal(await marks(page, "rows", "rows").count(), 200);
    assert.equal(await marks(page, "rows", "residuals").count(), 200);
    const [chosen] = data.models.filter((model) => model.k === 4);
    const nearest = data.neighbours
      .filter((one) => chosen.support.includes(one.column))
      .flatMap((one) => one.nearest);
    assert.equal(await marks(page, "neighbours", "neighbours").count(), nearest.length);
  }));

test("a click on a size shows its model everywhere, and there is a way back", () =>
  lab.visit("cv.html", async (page) => {
    const observed = () => marks(page, "rows", "rows").first().getAttribute("cx");
    const before = await observed();
    await marks(page, "sizes", "sizes").nth(2).click({ force: true });
    assert.equal(await shownSize(page), "2 columns");
    await expectModel(page, fitOfSize(2, chosenRidge()));
    assert.notEqual(await observed(), before);
    assert.equal(await page.locator("#neighbours svg [aria-description=names] text").count(), 2);

    await page.getByRole("button", { name: "One column more" }).click();
    await expectModel(page, fitOfSize(3, chosenRidge()));
    await page.getByRole("slider").focus();
    await page.keyboard.press("End");
    await expectModel(page, fitOfSize(20, chosenRidge()));
    await page.getByRole("button", { name: "Back to the chosen model" }).click();
    assert.equal(await shownSize(page), "4 columns");
    assert.equal(await observed(), before);
  }));

test("a click on the curve shows the model of that lambda", () =>
  lab.visit("cv.html", async (page) => {
    const { curve } = await payload(page);
    const drawn = atChosenRidge(curve).filter((point) => point.size < 21);
    const target = drawn.findIndex((point) => point.k != null && point.k > 5);
    assert.ok(target > 0);
    await marks(page, "curve", "points").nth(target).click({ force: true });
    await expectModel(page, fitOfSize(drawn[target].k, chosenRidge()));
  }));

test("hovering tells the numbers", () =>
  lab.visit("cv.html", async (page) => {
    await marks(page, "sizes", "sizes").nth(1).hover({ force: true });
    const tip = await page.locator('#sizes svg [aria-label="tip"]').first().textContent();
    assert.match(tip, /1 column.*RSS/s);
    await marks(page, "rows", "rows").nth(7).hover({ force: true });
    assert.match(
      await page.locator('#rows svg [aria-label="tip"]').first().textContent(),
      /row \d+.*observed.*residual/s,
    );
  }));

test("light and dark follow the system, and a button switches", async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  let light, dark;
  await lab.visit("cv.html", async (page) => {
    light = await background(page);
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    dark = await background(page);
  });
  assert.notEqual(light, dark);
  await lab.visit(
    "cv.html",
    async (page) => {
      assert.equal(await background(page), dark);
      await lab.screenshot(page, "dark.png");
      await page.getByRole("button", { name: "Switch between light and dark" }).click();
      assert.equal(await background(page), light);
    },
    { colorScheme: "dark" },
  );
});

test("it prints on white paper, without controls", () =>
  lab.visit(
    "cv.html",
    async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
        "rgb(255, 255, 255)",
      );
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.querySelector(".card")).backgroundColor),
        "rgb(255, 255, 255)",
      );
      assert.ok(!(await page.getByRole("slider").isVisible()));
      const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length;
      assert.ok(pages >= 1 && pages <= 4, `${pages} pages`);
    },
    { colorScheme: "dark" },
  ));

test("it fits a narrow screen", () =>
  lab.visit(
    "cv.html",
    async (page) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      const scales = await page
        .locator(".plot svg")
        .evaluateAll((plots) => plots.map((plot) => plot.clientWidth / plot.width.baseVal.value));
      for (const scale of scales) assert.ok(scale > 0.85, `letters at ${scale} of their size`);
      assert.ok(await page.locator("#answer .stand-ins .chip").first().isVisible());
    },
    { width: 400 },
  ));

test("all that is needed to repeat the run is there", () =>
  lab.visit("cv.html", async (page) => {
    const text = await page.locator("#repeat").innerText();
    assert.match(text, /lass0 cv data\.csv --target y --report cv\.html/);
    assert.match(text, new RegExp(`lass0 ${lab.run("--version").trim().split(" ")[1]}`));
    assert.match(text, /seed\s+1/);
    assert.match(text, /cross-validation and fit\s+[\d.]+ s/);
  }));

test("a ridge that was chosen has its own curve among the others", () =>
  lab.visit("ridge.html", async (page) => {
    const { curve } = await payload(page);
    assert.equal(await marks(page, "curve", "points").count(), 11);
    assert.equal(
      await marks(page, "curve", "other ridges").count(),
      new Set(curve.points.map((point) => point.ridge)).size - 1,
    );
    await expectModel(page, lab.json(RIDGE).model);
  }));

test("a model that is none of the table's is shown as it is", () =>
  lab.visit("paper.html", async (page) => {
    await expectModel(page, lab.json(PAPER).model);
  }));

test("the curve says what the chosen ridge brought", () =>
  lab.visit("cv.html", async (page) => {
    const { chosen, without_ridge } = lab.json(CV);
    assert.ok(chosen.ridge > 0);
    const hint = await page.locator("#curve .hint").first().textContent();
    const shown = (error) => Number(error.toPrecision(4)); // without zeros at the end
    assert.ok(hint.includes(`mean error ${shown(chosen.mean_error)} with`), hint);
    assert.ok(hint.includes(`without a ridge ${shown(without_ridge.mean_error)} with`), hint);
  }));

test("prediction intervals are shown for the chosen model, where its fold models are kept", async () => {
  const lines = (page) => page.locator('#rows [aria-description="prediction intervals"] line').count();
  await lab.visit("intervals.html", async (page) => {
    const { intervals, number: rows } = (await payload(page)).rows;
    const written = lab.run("predict model.json data.csv --intervals 0.9").trim().split("\n").slice(1);
    for (const [i, row] of rows.entries()) {
      const [, lower, upper] = written[row - 1].split(",").map(Number);
      assert.ok(Math.abs(intervals.lower[i] - lower) <= 1e-3 * (upper - lower));
      assert.ok(Math.abs(intervals.upper[i] - upper) <= 1e-3 * (upper - lower));
    }
    assert.equal(await lines(page), rows.length);
    assert.match(await page.locator("#rows .hint").textContent(), /90 % nominal/);
    await lab.screenshot(page, "intervals.png");
    await page.getByRole("slider").fill("1"); // another model has none
    assert.equal(await lines(page), 0);
  });
  await lab.visit("cv.html", async (page) => assert.equal(await lines(page), 0));
});

test("p-values that were asked for have their own part", () =>
  lab.visit("splits.html", async (page) => {
    const { inference, model } = lab.json(`${CV} --inference splits`);
    const rows = page.locator("#p-values tbody tr");
    const shown = inference.columns.filter(
      ({ name, p_value }) => model.support.includes(name) || p_value <= 0.05,
    );
    assert.equal(await rows.count(), shown.length);
    for (const [i, { name, p_value, selected }] of shown.entries()) {
      assert.equal(await rows.nth(i).locator("th").textContent(), name);
      const [p, share] = await rows.nth(i).locator("td").allTextContents();
      assert.ok(Math.abs(parse(p) - p_value) <= 6e-3 * p_value, `${p}, not ${p_value}`);
      assert.ok(Math.abs(parse(share.replace(" %", "")) - 100 * selected) < 0.1);
    }
    await lab.screenshot(page, "splits.png");
    await page.getByRole("slider").fill("0"); // the table stays that of the chosen model
    assert.equal(await rows.count(), shown.length);
  }));

test("a criterion has its own curve", () =>
  lab.visit("bic.html", async (page) => {
    const { chosen } = lab.json(BIC);
    assert.equal(await shownSize(page), `${chosen.k} column${chosen.k === 1 ? "" : "s"}`);
    assert.equal(await marks(page, "curve", "chosen").count(), 1);
    await expectModel(page, fitOfSize(chosen.k));
  }));

test("a path has no choice and no curve, but all the rest", () =>
  lab.visit("path.html", async (page) => {
    assert.equal(await page.locator("#curve").count(), 0);
    assert.equal(await marks(page, "sizes", "sizes").count(), 9);
    await marks(page, "sizes", "sizes").nth(5).click({ force: true });
    await expectModel(page, fitOfSize(5));
  }));

test("leaving out a column has its cost, and stand-ins are near ties only", () =>
  lab.visit("cv.html", async (page) => {
    const { model } = lab.json(CV);
    const rows = await page.locator("#answer tbody tr").evaluateAll((all) =>
      all.map((row) => ({
        name: row.children[0].textContent,
        without: row.querySelector(".without")?.textContent,
        chips: [...row.querySelectorAll(".chip bdi")].map((chip) => chip.textContent),
      })),
    );
    for (const { name, without, chips } of rows) {
      if (name === "(intercept)") continue;
      const share = 100 * model.without[name];
      assert.ok(
        Math.abs(parse(without.replace(/[+% ]/g, "")) - share) <= 0.06 * share,
        `${name}: ${without}`,
      );
      const ties = model.alternatives.filter((one) => one.column === name && one.near_tie).slice(0, 3);
      assert.deepEqual(
        chips,
        ties.map((one) => one.stand_in),
      );
    }
  }));

test("paper does not say where to click", () =>
  lab.visit("cv.html", async (page) => {
    assert.match(await page.locator("main").innerText(), /Click a point/);
    await page.emulateMedia({ media: "print" });
    assert.doesNotMatch(await page.locator("main").innerText(), /Click/);
  }));

test("a path fills its rows", () =>
  lab.visit("path.html", async (page) => {
    for (const id of ["sizes", "rows"]) {
      const [{ width }, all] = [
        await page.locator(`#${id}`).boundingBox(),
        await page.locator("#answer").boundingBox(),
      ];
      assert.ok(Math.abs(width - all.width) < 1, `${id}: ${width} of ${all.width}`);
    }
    const tops = await page
      .locator("#sizes .plot")
      .evaluateAll((plots) => plots.map((plot) => plot.getBoundingClientRect().top));
    assert.equal(tops[0], tops[1]);
  }));

test("the page is one file that names no address to load from", () => {
  const html = readFileSync(lab.path("cv.html"), "utf8");
  const markup = html.replace(/(<(?:script|style)[^>]*>)[^]*?<\/(?:script|style)>/g, "$1");
  const addresses = [...markup.matchAll(/<[^>]*\b(?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(addresses, ["data:,"]);
  assert.ok(html.length < 700_000, `${html.length} bytes`);
});

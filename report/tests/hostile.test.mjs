// Data that mean harm, and data that are large: names are shown and never run, and the page stays small.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Lab, payload, shownModel } from "./browser.mjs";

const HOSTILE = [
  "<script>alert(1)</script>",
  "</script><script>alert(2)</script>",
  "<!--<script>",
  "<img src=x onerror=alert(3)>",
  "\"quoted\" 'and' `ticked` ${alert(4)}",
  "&lt;b&gt; & \u2028 \u2029 \\u003c",
  "long " + "name ".repeat(400),
  "日本語 Ω ‮rtl‬ 👩‍🔬",
  "__proto__",
  "javascript:alert(5)",
];
const CONSTANT = "<b>constant</b>";
const COPY = "copy of <i>the first</i>";
const TARGET = "</title><svg onload=alert(6)>";

const quote = (text) => `"${text.replaceAll('"', '""')}"`;

// Every hostile column matters, so that each is in the model.
function hostileTable() {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
  const lines = [[...HOSTILE, CONSTANT, COPY, TARGET].map(quote).join(",")];
  for (let i = 0; i < 120; ++i) {
    const x = HOSTILE.map(random);
    const y = x.reduce((sum, value, j) => sum + (j % 2 ? 1 : -1) * (j + 1) * value, 0.1 * random());
    lines.push([...x, 7, x[0], y].join(","));
  }
  return lines.join("\n") + "\n";
}

let lab;
before(async () => {
  lab = await Lab.open();
  writeFileSync(lab.path("hostile.csv"), hostileTable());
  lab.run(["cv", "hostile.csv", "--target", TARGET, "--folds", "4", "--report", "hostile.html"]);
});
after(() => lab.close());

test("hostile names are shown as they are, and nothing of them runs", () =>
  lab.visit("hostile.html", async (page) => {
    const data = await payload(page);
    for (const name of HOSTILE)
      assert.ok(
        data.columns.some((column) => column.name === name),
        name,
      );
    const titles = await page
      .locator("#answer tbody th[title]")
      .evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.deepEqual(titles.sort(), [...HOSTILE].sort());
    const shown = (await shownModel(page)).map(([name]) => name);
    assert.ok(shown.includes("<script>alert(1)</script>"));
    assert.ok((await page.locator("h1").textContent()).startsWith(TARGET));
    const notes = await page.locator("#notes").innerText();
    assert.ok(notes.includes(CONSTANT) && notes.includes(COPY), notes);

    assert.equal(await page.locator("script").count(), 2);
    assert.equal(await page.locator("img, b, i, iframe, svg[onload]").count(), 0);
    // Hover over everything that shows names.
    for (const part of ["coefficients", "entries", "neighbours"]) {
      const box = await page.locator(`#${part} svg`).boundingBox();
      for (let step = 1; step < 8; ++step)
        await page.mouse.move(box.x + (box.width * step) / 8, box.y + (box.height * step) / 8);
    }
    await lab.screenshot(page, "hostile.png");
  }));

test("a script that got in would still not run", () =>
  lab.visit(
    "hostile.html",
    async (page) => {
      const outcome = await page.evaluate(() => {
        const refusal = new Promise((resolve) =>
          document.addEventListener("securitypolicyviolation", () => resolve("refused")),
        );
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        return window.ran ? "ran" : refusal;
      });
      assert.equal(outcome, "refused");
    },
    { expected: [/Content Security Policy/] },
  ));

test("100,000 columns make a small page that opens at once", async () => {
  lab.run("simulate --n 60 --p 100000 --k 3 --seed 1 --output wide.npy");
  lab.run("cv wide.npy --target 100001 --folds 2 --tune k --max-k 6 --report wide.html");
  assert.ok(statSync(lab.path("wide.html")).size < 500_000);
  await lab.visit("wide.html", async (page) => {
    const data = await payload(page);
    assert.equal(data.p, 100000);
    assert.ok(data.columns.length < 400, `${data.columns.length} columns`);
    await lab.screenshot(page, "wide.png");
  });
});

test("many rows are shown by some of them, and the farthest are among those", async () => {
  const lines = ["x,y"];
  for (let i = 0; i < 5000; ++i)
    lines.push(`${i % 97},${(i % 97) + ((i * 7919) % 101) / 101 + (i === 4321 ? 50 : 0)}`);
  writeFileSync(lab.path("tall.csv"), lines.join("\n") + "\n");
  lab.run("cv tall.csv --target y --report tall.html");
  await lab.visit("tall.html", async (page) => {
    const { rows } = await payload(page);
    assert.ok(rows.number.length <= 2000 && rows.number.length > 1900, `${rows.number.length} rows`);
    assert.ok(rows.number.includes(4322));
    assert.match(await page.locator("#rows .hint").innerText(), /of 5,000 rows: a random choice and the 20/);
  });
});

const START = "temperature_of_the_water_in_basin_";
const END = "_measured_every_morning_before_noon";

test("long names that differ in the middle stay distinct, and are whole on hover", async () => {
  const names = ["north", "south", "west_1", "west_2"].map((part) => START + part + END);
  let state = 3;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
  const lines = [[...names, "y"].join(",")];
  for (let i = 0; i < 80; ++i) {
    const x = names.map(random);
    lines.push([...x, x.reduce((sum, value, j) => sum + (j + 1) * value, 0.1 * random())].join(","));
  }
  writeFileSync(lab.path("long.csv"), lines.join("\n") + "\n");
  lab.run("cv long.csv --target y --report long.html");
  await lab.visit("long.html", async (page) => {
    for (const where of [
      "#answer tbody th .name",
      ".formula .name[title]",
      "#entries [aria-description=names] text",
      "#neighbours [aria-description=names] text",
      "#coefficients [aria-description=labels] text",
    ]) {
      const shown = await page
        .locator(where)
        .evaluateAll((all) =>
          all.map((one) => [
            one.firstChild.textContent,
            one.closest("[title]")?.title ?? one.querySelector("title").textContent,
          ]),
        );
      assert.equal(shown.length, 4, where);
      assert.equal(new Set(shown.map(([text]) => text)).size, 4, `${where}: ${shown}`);
      assert.deepEqual(shown.map(([, title]) => title).sort(), [...names].sort(), where);
    }
  });
});

test("effects that cancel are named, and fit a telephone", async () => {
  let state = 5;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
  const lines = ["a,b,c,y"];
  for (let i = 0; i < 80; ++i) {
    const [a, d, c] = [random(), 1e-5 * random(), random()];
    lines.push(`${a},${a + d},${c},${2e6 * d + c + 0.1 * random()}`);
  }
  writeFileSync(lab.path("collinear.csv"), lines.join("\n") + "\n");
  lab.run("cv collinear.csv --target y --report collinear.html");
  await lab.visit(
    "collinear.html",
    async (page) => {
      assert.match(await page.locator(".warning").innerText(), /cancel: [ab] \(.*\), [ab] \(.*\)\./);
      const clipped = await page
        .locator("#answer td, #answer th")
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
        );
      assert.deepEqual(clipped, []);
      const outside = await page
        .locator("#answer td")
        .evaluateAll((cells) =>
          cells
            .filter(
              (cell) =>
                cell.getBoundingClientRect().right > cell.closest(".card").getBoundingClientRect().right,
            )
            .map((cell) => cell.textContent),
        );
      assert.deepEqual(outside, []);
      await lab.screenshot(page, "collinear.png");
    },
    { width: 390 },
  );
  lab.run("cv collinear.csv --target y --exclude a --report alone.html");
  await lab.visit("alone.html", async (page) => assert.ok(!(await page.locator(".warning").isVisible())));
});

test("degenerate and enormous numbers are drawn like others", async () => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const tables = {
    constant: () => [random(), random(), 3],
    perfect: () => ((x) => [x, random(), 2 * x + 1])(random()),
    nothing: () => [7, 7, random()],
    enormous: () => [1e6 * random(), -1e9 * random(), 1e9 * random()],
    tiny: () => [1e-6 * random(), 1e-9 * random(), 1e-12 * random()],
  };
  for (const [name, row] of Object.entries(tables)) {
    const lines = Array.from({ length: 40 }, () => row().join(","));
    writeFileSync(lab.path(`${name}.csv`), ["a,b,y", ...lines].join("\n") + "\n");
    lab.run(`cv ${name}.csv --target y --report cv.html`);
    lab.run(`path ${name}.csv --target y --include a --no-intercept --report path.html`);
    for (const report of ["cv.html", "path.html"]) {
      await lab.visit(report, async (page) => {
        const slider = page.getByRole("slider");
        const largest = Number(await slider.getAttribute("max"));
        for (let k = 0; k <= largest; ++k) await slider.fill(String(k));
        if (report === "cv.html") {
          if (name === "constant")
            assert.equal(await page.locator('#sizes [aria-description="lambda ranges"] > *').count(), 1);
          const said = /The target is constant/.test(await page.locator("#notes").innerText());
          assert.equal(said, name === "constant");
        }
      });
    }
  }
});

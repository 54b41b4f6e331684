// measure_pages.mjs PROGRAMS MODULES [BATCHES | FOLDER]: how long pages of the dashboard take over a store of so many batches (a
// million, unless told otherwise; or of one that fill_store.py has made), and what an open one costs the service. 77: there is no Chromium, or no packages to drive it by.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Service, freePort, start, stop, until} from './world.mjs';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const [programs, modules] = process.argv.slice(2, 4).map((folder) => path.resolve(folder));
const wish = process.argv[4] ?? '1000000';
const isFilled = !/^\d+$/.test(wish);
if (!CHROMIUM || !existsSync(path.join(modules, 'playwright-core'))) {
  console.error(`SKIPPED: ${CHROMIUM ? 'the packages of web/ are not installed (PATRA_WEB)' : 'chromium is not installed (tools/setup test)'}`);
  process.exit(77);
}
const {chromium} = createRequire(path.join(modules, 'index.js'))('playwright-core');

const TIMES = 5;
const OPEN_FOR_MS = 20_000;
const PAINT_GOAL_MS = 1_000;
const PAGE_GOAL_MS = 300;

const FILL = fileURLToPath(new URL('fill_store.py', import.meta.url));
const folder = isFilled ? path.resolve(wish) : mkdtempSync(path.join(os.tmpdir(), 'patra-web-measure-'));
const listen = `127.0.0.1:${await freePort()}`;
const service = new Service(programs, `http://${listen}`, folder, undefined);

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const tell = (what, ms, goal) => console.log(`${what.padEnd(34)} ${String(Math.round(ms)).padStart(6)} ms${goal && ms > goal ? `   more than ${goal}` : ''}`);

function launch() {
  return chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
}

// Counts what is asked for and not answered; what never ends does not count.
const COUNT = () => {
  const ask = window.fetch;
  window.underWay = 0;
  window.fetch = async (...request) => {
    if (String(request[0]).includes('/events')) return ask(...request);
    ++window.underWay;
    try {
      const answer = await ask(...request);
      for (const way of ['json', 'text']) {
        const read = answer[way].bind(answer);
        answer[way] = () => read().finally(() => --window.underWay);
      }
      return answer;
    } catch (error) {
      --window.underWay;
      throw error;
    }
  };
};

// From the moment that somebody chooses a page until all of it is there.
const GO = async (hash) => {
  const frame = () => new Promise(requestAnimationFrame);
  const begun = performance.now();
  window.location.hash = hash;
  await frame();
  await frame();
  for (let quiet = 0; quiet < 2 && performance.now() - begun < 30_000;) {
    quiet = window.underWay > 0 || document.querySelector('main .loading') ? 0 : quiet + 1;
    await frame();
  }
  return performance.now() - begun;
};

// The first time in a browser that was just started, and once more in the same.
async function measureOverview() {
  const firsts = [];
  for (let i = 0; i < TIMES; ++i) {
    const browser = await launch();
    const page = await browser.newPage();
    const times = [];
    for (let visit = 0; visit < 2; ++visit) {
      const begun = Date.now();
      await page.goto(service.url, {waitUntil: 'commit'});
      await page.locator('main .number .value').first().waitFor();
      const numbers = Date.now() - begun;
      const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
      times.push({numbers, paint});
      await page.goto('about:blank');
    }
    firsts.push(times);
    await browser.close();
  }
  const of = (visit, name) => median(firsts.map((times) => times[visit][name]));
  tell('first paint, fresh browser', of(0, 'paint'), PAINT_GOAL_MS);
  tell('numbers of the overview, fresh', of(0, 'numbers'), PAINT_GOAL_MS);
  tell('first paint, again', of(1, 'paint'), PAINT_GOAL_MS);
  tell('numbers of the overview, again', of(1, 'numbers'), PAINT_GOAL_MS);
}

async function placesOf() {
  const first = async (call) => (await service.ask(call)).items[0];
  const plan = await first('plans?source=filled&limit=1');
  const run = await first('runs?source=filled&endpoint=works&limit=1');
  const batch = await first(`batches?run=${run.id}&limit=1`);
  return ['', 'queue', 'plans', 'slices', 'tasks', 'runs', 'batches', 'batches?status=FAILED', `plans/${plan.id}`, `slices/${run.slice}`, `tasks/${run.task}`, `runs/${run.id}`,
    `batches/${batch.id}`, 'certificate?source=filled%2Fworks', 'cursors', 'gate?key=filled&over=30d', 'records', 'alerts', 'errors', 'quarantine', 'schedule', 'sources', 'sources/filled', 'audit'];
}

async function measurePages() {
  const browser = await launch();
  const page = await browser.newPage();
  await page.addInitScript(COUNT);
  await page.goto(service.url);
  await page.locator('main .number .value').first().waitFor();
  for (const place of await placesOf()) {
    const taken = [];
    for (let i = 0; i < TIMES; ++i) {
      await page.evaluate(GO, '#/nowhere');
      taken.push(await page.evaluate(GO, `#/${place}`));
    }
    const wrong = await page.locator('main .trouble').allTextContents();
    tell(place.replace(/\d{9,}/, 'ID') || 'overview', median(taken), PAGE_GOAL_MS);
    if (wrong.length) console.log(`   ${wrong.join('; ')}`);
  }
  return {browser, page};
}

// Of the service's processor time while somebody looks at the overview.
async function measureOpen(page) {
  const ticks = () => {
    const fields = readFileSync(`/proc/${service.process.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  await page.evaluate(GO, '#/');
  const before = ticks();
  await new Promise((resolve) => setTimeout(resolve, OPEN_FOR_MS));
  console.log(`an open overview costs the service ${((ticks() - before) / (OPEN_FOR_MS / 1_000)).toFixed(1)} % of a core (goal 2)`);
}

try {
  if (!isFilled) process.stdout.write(execFileSync('python3', [FILL, programs, folder, wish], {encoding: 'utf8'}));
  service.process = start(path.join(programs, 'patra'), ['serve', '--db', path.join(folder, 'patra.db'), '--sources', path.join(folder, 'sources'), '--roles', 'api', '--listen', listen]);
  await until('the service answers', () => service.ask('caller'));
  await measureOverview();
  const {browser, page} = await measurePages();
  await measureOpen(page);
  await browser.close();
} finally {
  if (isFilled) await service.process?.stop();
  else await stop(service);
}

// pages_test.mjs PROGRAMS MODULES: every page of the dashboard in a real Chromium, over real services. 77: there is no Chromium, or no
// packages to drive it by.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {PATIENCE_MS, isFilled, openPage, startEmpty, startFilled, stop, until} from './world.mjs';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const [programs, modules] = process.argv.slice(2).map((folder) => path.resolve(folder));
if (!CHROMIUM || !existsSync(path.join(modules, 'playwright-core'))) {
  console.error(`SKIPPED: ${CHROMIUM ? 'the packages of web/ are not installed (PATRA_WEB)' : 'chromium is not installed (tools/setup test)'}`);
  process.exit(77);
}
const require = createRequire(path.join(modules, 'index.js'));
const {chromium} = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const LISTS = ['', 'queue', 'plans', 'slices', 'tasks', 'runs', 'batches', 'certificate', 'cursors', 'gate', 'records', 'alerts', 'errors', 'quarantine', 'backfill', 'schedule', 'sources', 'audit'];
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> "\'`${7*7} \u202eevil\u202c 漢字 اللغة 🐙';

let browser;
let filled;
let empty;
before(async () => {
  [filled, empty] = await Promise.all([startFilled(programs), startEmpty(programs)]);
  // With a profile of its own, which is new each time.
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  await until('the store is filled', () => isFilled(filled));
}, {timeout: 2 * PATIENCE_MS});
after(async () => {
  await browser?.close();
  await Promise.all([stop(filled), stop(empty)]);
});

async function withPage(service, options, use) {
  const page = await openPage(browser, service.url, options);
  try {
    await use(page);
    assert.deepEqual(page.wrong, []);
  } finally {
    await page.context().close();
  }
}

async function findings(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  return found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`);
}

// A key of the gate that has a limit, and under which something was sent.
async function sentUnder() {
  const keys = (await filled.ask('gate/keys')).items.map((row) => row.key);
  return (await filled.ask('gate/history?from=-1h')).items
    .find((series) => keys.includes(series.key) && series.requests.some((n) => n > 0) && series.limitPerSecond.some((n) => n > 0))?.key;
}

// Pages of single things, by the ids that the store has by now.
async function innerPages() {
  const first = async (call) => (await filled.ask(call)).items[0];
  const plan = await first('plans?source=library&endpoint=books&limit=1');
  const run = await first('runs?source=library&endpoint=journals&limit=1');
  const batch = await first('batches?source=library&endpoint=journals&status=SUCCEEDED&limit=1');
  const cursor = await first('cursors?source=library&limit=1');
  const record = await first('items/newest?source=library&endpoint=books&limit=1');
  const quarantined = await first('quarantine?status=OPEN&limit=1');
  return [`plans/${plan.id}`, `slices/${run.slice}`, `tasks/${run.task}`, `runs/${run.id}`, `batches/${batch.id}`, `cursors/${cursor.id}`, 'certificate?source=library%2Frestricted',
    `records/library/books/${encodeURIComponent(record.id)}`, `quarantine/${quarantined.id}`, 'schedule/library-hourly', 'sources/library'];
}

describe('with data', () => {
  test('each page shows something, and people who cannot see it can use it', async () => {
    await withPage(filled, {}, async (page) => {
      for (const hash of [...LISTS, ...await innerPages()]) {
        await page.show(hash);
        await until(`${hash} shows something`, async () => (await page.locator('main').innerText()).length > 80);
        assert.equal(await page.locator('main .trouble').count(), 0, `${hash}: ${await page.locator('main .trouble').allTextContents()}`);
        assert.deepEqual(await findings(page), [], hash);
      }
    });
  });

  test('dark and on a phone, nothing is lost or out of reach', async () => {
    await withPage(filled, {colorScheme: 'dark', viewport: {width: 390, height: 800}}, async (page) => {
      for (const hash of ['', 'queue', 'quarantine', 'certificate?source=library%2Frestricted']) {
        await page.show(hash);
        assert.deepEqual(await findings(page), [], hash);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${hash} is ${wide} pixels too wide`);
      }
      await page.getByRole('button', {name: 'Menu'}).click();
      await page.getByRole('link', {name: 'Alerts', exact: true}).click();
      await page.getByRole('heading', {level: 1, name: 'Alerts'}).waitFor();
    });
  });

  test('the overview names what is broken, and is live', async () => {
    await withPage(filled, {}, async (page) => {
      await page.show('');
      await page.getByText('live', {exact: true}).waitFor();
      await page.getByText('library/restricted').first().waitFor();
      await page.getByRole('button', {name: 'Reset the fuse'}).waitFor();
      assert.match(await page.locator('main').innerText(), /stopped/);
    });
  });

  test('from a plan one gets down to a batch and up again', async () => {
    const [{id}] = (await filled.ask('plans?source=library&endpoint=books&status=COMPLETED&limit=1')).items.concat((await filled.ask('plans?source=library&endpoint=books&limit=1')).items);
    await withPage(filled, {}, async (page) => {
      await page.show(`plans/${id}`);
      await page.locator('figure.strip a').first().waitFor();
      await page.locator('table a.id[title^="slice"]').first().click();
      await page.getByRole('heading', {level: 1, name: 'Slices'}).waitFor();
      await page.locator('table a.id[title^="run"]').first().click();
      await page.getByRole('heading', {level: 1, name: 'Runs'}).waitFor();
      await page.locator('table a.id[title^="batch"]').first().click();
      await page.getByRole('region', {name: 'request', exact: true}).waitFor();
      await page.locator('.crumbs a[title^="plan"]').click();
      await page.getByRole('heading', {level: 1, name: 'Plans and runs'}).waitFor();
      assert.ok(page.url().endsWith(id));
    });
  });

  test('the overview says how much of its limit each endpoint uses', async () => {
    const status = await filled.ask('status');
    const rate = {key: 'library', requestsPerSecond: 4, allowedPerSecond: 10, share: 0.4};
    const endpoints = status.endpoints.map((row) => ({...row, rate: row.source === 'library' && row.endpoint === 'books' ? rate : null}));
    await withPage(filled, {}, async (page) => {
      // Newer than whatever is told meanwhile.
      await page.route(/\/api\/v1\/status$/, (route) => route.fulfill({json: {...status, endpoints, now: '2099-01-01T00:00:00Z'}}));
      await page.show('');
      const row = page.locator('main tbody tr', {hasText: 'library/books'});
      await row.getByText('40 %').waitFor();
      assert.equal(await row.locator('meter').first().getAttribute('value'), '0.4');
    });
  });

  test('what was sent and done before the page was opened is drawn', async () => {
    const key = await until('requests are remembered', sentUnder);
    await withPage(filled, {}, async (page) => {
      await page.show(`gate?key=${encodeURIComponent(key)}`);
      await page.getByRole('img', {name: /Requests a second of /}).locator('canvas').waitFor();
      await page.getByLabel('Over how long').selectOption('1d');
      await until('another length is asked for', async () => page.url().includes('over=1d'));
      await page.show('queue?window=6h');
      await page.getByRole('img', {name: /Requests and claims a second over 6h/}).locator('canvas').waitFor();
      await page.getByRole('img', {name: /Which part of batches failed/}).locator('canvas').waitFor();
    });
  });

  test('the gate names what made it slower, and when', async () => {
    const key = await until('requests are remembered', sentUnder);
    const history = await filled.ask(`gate/history?key=${encodeURIComponent(key)}&from=-10m&steps=10`);
    const series = history.items[0];
    const only = (value, otherwise) => history.at.map((_, i) => (i === 3 ? value : otherwise));
    const slower = {...series, requests: only(30, 20), throttled: only(2, 0), cuts: only(1, 0), coolDowns: only(1, 0), openings: only(0, 0), failures: only(0, 0), stoppedUntil: only('2026-01-02T03:04:05Z', null)};
    await withPage(filled, {}, async (page) => {
      await page.route(/gate\/history/, (route) => route.fulfill({json: {...history, items: [slower]}}));
      await page.show(`gate?key=${encodeURIComponent(key)}`);
      const moves = page.getByRole('region', {name: 'What made it slower'}).locator('tbody tr');
      await moves.first().waitFor();
      assert.equal(await moves.count(), 1);
      assert.match(await moves.innerText(), /2 times told to be slower, the rate was cut, a cool-down[^]*2026-01-02 03:04:05/);
    });
  });

  test('a certificate is a grid of days, and a day leads to what is missing on it', async () => {
    await withPage(filled, {}, async (page) => {
      await page.show('certificate?source=library%2Frestricted');
      const grid = page.locator('figure.days');
      await grid.waitFor();
      assert.ok((await grid.locator('rect').count()) > 300, 'four hundred days');
      assert.match(await grid.locator('svg').first().getAttribute('aria-label'), /^\d{4}: \d+ days proven complete, \d+ with a gap/);
      await grid.locator('a').first().click();
      await until('that day alone', async () => /from=\d{4}-\d\d-\d\d&to=/.test(page.url()));
      await page.locator('figure.days rect').first().waitFor();
      assert.equal(await page.locator('figure.days rect').count(), 1);
      await page.getByRole('heading', {name: /Gaps by name/}).waitFor();
    });
  });

  test('a run shows how its requests were answered, and where each led', async () => {
    const run = (await filled.ask('runs?source=library&endpoint=books&status=SUCCEEDED&limit=1')).items[0];
    await withPage(filled, {}, async (page) => {
      await page.show(`runs/${run.id}`);
      await page.locator('.histogram').getByText('HTTP 200').waitFor();
      await page.locator('main table').getByText('the last', {exact: true}).waitFor();
      assert.equal(await page.getByRole('columnheader', {name: 'Next'}).count(), 1);
    });
  });

  test('lists go on page by page', async () => {
    await withPage(filled, {}, async (page) => {
      await page.show('batches?source=library&endpoint=books');
      const rows = page.locator('main tbody tr');
      const first = await rows.count();
      await page.getByRole('button', {name: 'Show more'}).click();
      await until('more rows', async () => (await rows.count()) > first);
    });
  });
});

describe('where there is nothing', () => {
  test('each page says what to do', async () => {
    await withPage(empty, {}, async (page) => {
      for (const hash of LISTS) {
        await page.show(hash);
        assert.equal(await page.locator('main .trouble').count(), 0, hash);
        assert.deepEqual(await findings(page), [], hash);
      }
      await page.show('');
      await page.getByText('Nothing was harvested yet').waitFor();
      await page.show('nosuchpage');
      await page.getByText('There is nothing under this address').waitFor();
      await page.show('plans/1');
      await page.locator('.trouble').waitFor();
    });
  });
});

describe('what comes is not trusted', () => {
  test('a failing API is told in its own words', async () => {
    const problem = {code: 'UNAVAILABLE', status: 503, detail: 'the store is away', hint: 'wait until it is back', title: 't', type: 'about:blank', next: [], place: null};
    await withPage(filled, {}, async (page) => {
      await page.route(/\/api\/v1\/(?!events|caller|sources$)/, (route) => route.fulfill({status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem)}));
      for (const hash of LISTS.filter((one) => !['certificate', 'backfill'].includes(one))) {
        await page.show(hash);
        await page.getByText('the store is away').first().waitFor();
        await page.getByText('wait until it is back').first().waitFor();
      }
    });
  });

  test('records stay text, whatever they hold', async () => {
    const item = (await filled.ask('items/newest?source=library&endpoint=books&limit=1')).items[0];
    const hostile = {...item, id: HOSTILE, fields: {title: HOSTILE, [HOSTILE]: [HOSTILE]}};
    const quarantined = (await filled.ask('quarantine?status=OPEN&limit=1')).items[0];
    await withPage(filled, {}, async (page) => {
      await page.route(/items\/newest/, (route) => route.fulfill({json: {items: [hostile], next: null}}));
      await page.route(/items\/.*\/why/, (route) => route.fulfill({json: {item: hostile, batch: null, run: null, task: null, slice: null, plan: null, trigger: null, firstBatch: null, pages: [], quarantined: []}}));
      await page.route(/api\/v1\/quarantine\?/, (route) => route.fulfill({json: {items: [{...quarantined, itemId: HOSTILE, reason: HOSTILE, rule: HOSTILE}], next: null}}));
      await page.show('records');
      await page.locator('main table').getByText('onerror=alert(1)').first().waitFor();
      await page.locator('main tbody a').first().click();
      await page.getByRole('region', {name: 'fields of the record'}).getByText('漢字').waitFor();
      await page.show('quarantine');
      await page.locator('main table').getByText('onerror=alert(1)').first().waitFor();
      assert.equal(await page.locator('main img, main script').count(), 0);
    });
  });

  test('who hangs up is called so, and is heard again', async () => {
    const other = await startEmpty(programs);
    try {
      await withPage(other, {}, async (page) => {
        await page.show('');
        await page.getByText('live', {exact: true}).waitFor();
        await other.process.stop();
        await page.getByText('not connected').waitFor();
        assert.match(await page.locator('.connection').innerText(), /since \d\d:\d\d:\d\d/);
        await other.begin();
        await page.getByText('live', {exact: true}).waitFor();
      });
    } finally {
      await stop(other);
    }
  });
});

describe('who may do what', () => {
  async function enter(page, token) {
    await page.show('');
    await page.locator('.token-box summary').click();
    await page.getByPlaceholder('patra_…').fill(token);
    await page.getByRole('button', {name: 'Use it'}).click();
  }

  test('a viewer sees no buttons that change something', async () => {
    await withPage(filled, {}, async (page) => {
      await enter(page, filled.token('viewer'));
      await page.locator('.who', {hasText: 'viewer'}).waitFor();
      for (const hash of ['', 'schedule', 'quarantine', 'certificate?source=library%2Frestricted', 'sources/library']) {
        await page.show(hash);
        assert.equal(await page.getByRole('button', {name: /Reset the fuse|Fire now|Disable|Approve|Repair|Pause/}).count(), 0, hash);
      }
      assert.equal(await page.getByRole('button', {name: 'Ask for one page'}).count(), 0);
      await page.show('backfill');
      await page.getByText('takes a token of the role operator').waitFor();
    });
  });

  test('a token that nobody has is refused, and asked for', async () => {
    await withPage(filled, {}, async (page) => {
      await enter(page, 'patra_nobodyhasthis');
      await page.locator('main .trouble').waitFor();
      await page.locator('main').getByPlaceholder('patra_…').waitFor();
    });
  });

  test('an operator disables a job by keyboard, with a reason that the audit has', async () => {
    await withPage(filled, {}, async (page) => {
      await enter(page, filled.token('operator'));
      await page.locator('.who', {hasText: 'operator'}).waitFor();
      await page.show('schedule/library-hourly');
      await page.getByRole('button', {name: 'Disable'}).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      assert.deepEqual(await findings(page), []);
      assert.equal(await dialog.getByRole('button', {name: 'Disable'}).isDisabled(), true, 'without a reason');
      await page.keyboard.type('the library moves house');
      await page.keyboard.press('Enter');
      await dialog.getByText('The audit has it: operator').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({state: 'detached'});
      await page.getByRole('button', {name: 'Enable'}).waitFor();
      await page.show('audit');
      await page.getByText('the library moves house').waitFor();
      assert.equal((await filled.ask('jobs/library-hourly')).enabled, false);
    });
  });

  test('a source is paused and goes on', async () => {
    await withPage(filled, {}, async (page) => {
      for (const [button, word] of [['Pause', 'Paused'], ['Resume', '']]) {
        await page.show('sources/pubmed');
        await page.getByRole('button', {name: button}).click();
        await page.getByRole('dialog').getByRole('textbox').fill(`to see it ${button}`);
        await page.getByRole('dialog').getByRole('button', {name: button}).click();
        await page.getByRole('dialog').getByText('The audit has it').waitFor();
        await page.keyboard.press('Escape');
        if (word) await page.locator('main').getByText(word).waitFor();
      }
      await page.getByRole('button', {name: 'Pause'}).waitFor();
    });
  });

  test('a batch is asked for once more, and compared', async () => {
    const batch = (await filled.ask('batches?source=library&endpoint=books&status=SUCCEEDED&limit=1')).items[0];
    await withPage(filled, {}, async (page) => {
      await page.show(`batches/${batch.id}`);
      await page.getByRole('button', {name: 'Replay'}).click();
      await page.getByRole('dialog').getByRole('checkbox').check();
      await page.getByRole('dialog').getByRole('textbox').fill('does it still say the same');
      await page.getByRole('dialog').getByRole('button', {name: 'Replay'}).click();
      await page.getByRole('dialog').getByText('Done.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('region', {name: 'Replay'}).getByText('Recorded then').waitFor();
    });
  });

  test('records in quarantine are rejected together', async () => {
    const count = async () => (await filled.ask('quarantine?status=REJECTED&limit=10')).items.length;
    await withPage(filled, {}, async (page) => {
      await page.show('quarantine');
      const boxes = page.getByRole('checkbox', {name: /choose record/});
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.getByRole('button', {name: 'Reject'}).click();
      await page.getByRole('dialog').getByRole('textbox').fill('not worth having');
      await page.getByRole('dialog').getByRole('button', {name: 'Reject'}).click();
      await page.getByRole('dialog').getByText('2 of 2 were decided').waitFor();
    });
    assert.ok((await count()) >= 2);
  });

  test('all that a filter names is decided together, with a reason that the audit has', async () => {
    const kinds = (await filled.ask('quarantine/counts?status=OPEN')).items.filter((one) => one.path);
    const kind = kinds.reduce((fewest, one) => (one.records < fewest.records ? one : fewest));
    const like = new URLSearchParams({source: `${kind.source}/${kind.endpoint}`, rule: kind.rule, path: kind.path});
    const open = async () => (await filled.ask(`quarantine?${like}&status=OPEN&limit=1000`)).items.length;
    const [first] = (await filled.ask(`quarantine?${like}&limit=1`)).items;
    await withPage(filled, {}, async (page) => {
      await page.show(`quarantine/${first.id}`);
      const around = page.getByRole('region', {name: 'around the record in its page'});
      await around.locator('mark').waitFor();
      assert.ok((await around.innerText()).length > (await around.locator('mark').innerText()).length, 'its neighbours');
      await page.show(`quarantine?${new URLSearchParams({source: kind.source, endpoint: kind.endpoint, rule: kind.rule, path: kind.path})}`);
      await page.getByText('all that are like this').waitFor();
      await page.getByRole('button', {name: 'Reject'}).click();
      await page.getByRole('dialog').getByRole('textbox').fill('the provider knows of it');
      await page.getByRole('dialog').getByRole('button', {name: 'Reject'}).click();
      await page.getByRole('dialog').getByText(/(\d[\d,]*) of \1 were decided/).waitFor();
    });
    await until('none is left', async () => (await open()) === 0);
    const entry = (await filled.ask('audit?limit=50')).items.find((one) => one.reason === 'the provider knows of it');
    assert.equal(entry?.action, 'REJECTED');
  });

  test('an endpoint is previewed by what is applied, and nothing is stored', async () => {
    const records = async () => (await filled.ask('status')).endpoints.find((row) => row.source === 'library' && row.endpoint === 'books').lastDay.received;
    await until('all of it is there', async () => (await filled.ask('queue?source=library&endpoint=books')).items.every((row) => row.ready + row.executing === 0));
    const before = await records();
    await withPage(filled, {}, async (page) => {
      await page.show('sources/library?endpoint=books');
      await page.locator('form.filters').getByLabel('From').fill('-30d');
      await page.locator('form.filters').getByLabel('Until').fill('-1d');
      await page.getByRole('button', {name: 'Ask for one page'}).click();
      const seen = page.getByRole('region', {name: 'page 1', exact: true});
      await seen.getByText('/rest/page/items').waitFor();
      await seen.getByText(/mapped, \d+ bad/).waitFor();
      const raw = await seen.locator('pre[aria-label$="as it came"]').first().innerText();
      const fields = JSON.parse(await seen.locator('pre[aria-label$="as it would be stored"]').first().innerText());
      assert.equal(JSON.parse(raw).title, fields.title);
      assert.deepEqual(await findings(page), []);
    });
    assert.equal(await records(), before);
  });

  test('nothing is fetched before somebody saw its price', async () => {
    // Self-healing plans backfills, too, but not of this month.
    const plans = async () => (await filled.ask('plans?operation=BACKFILL')).items.filter((plan) => plan.windowFrom === '2026-03-01T00:00:00Z').length;
    await withPage(filled, {}, async (page) => {
      await page.show('backfill?source=library%2Fbooks');
      await page.locator('main').getByLabel('From').fill('2026-03-01');
      await page.locator('main').getByLabel('Until').fill('2026-04-01');
      await page.getByLabel('also where the same plan exists').check();
      await page.getByRole('button', {name: 'What would it cost?'}).click();
      await page.getByRole('region', {name: 'The price'}).waitFor();
      assert.equal(await plans(), 0);
      await page.getByRole('button', {name: 'Plan it'}).click();
      await page.getByRole('dialog').getByRole('textbox').fill('a reader misses March');
      await page.getByRole('dialog').getByRole('button', {name: 'Plan it'}).click();
      await page.getByRole('dialog').getByText('Done.').waitFor();
      assert.equal(await plans(), 1);
    });
  });
});

// What the pages are tested against: real services over stores that a simulator filled, and a browser that notices whatever it must not see.
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const DEMO = fileURLToPath(new URL('../../tools/demo_web', import.meta.url));
export const PATIENCE_MS = 60_000;

export async function until(what, ask, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  let last;
  while (Date.now() < end) {
    try {
      const found = await ask();
      if (found) return found;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within ${patience / 1_000} s${last ? `: ${last.message}` : ''}`);
}

export function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}

// A process of its own group, so that what it starts ends with it.
export function start(command, args) {
  const child = spawn(command, args, {stdio: ['ignore', 'ignore', 'ignore'], detached: true});
  return {
    child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-child.pid, signal);
      await gone;
    },
  };
}

export class Service {
  constructor(programs, url, folder, process) {
    Object.assign(this, {programs, url, folder, process});
  }

  async ask(call) {
    const answer = await fetch(`${this.url}/api/v1/${call}`);
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  token(role) {
    const args = ['token', 'create', role, '--role', role, '--db', path.join(this.folder, 'demo.db'), '--quiet'];
    const text = execFileSync(path.join(this.programs, 'patra'), args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
    return /patra_\w+/.exec(text)[0];
  }
}

// Four providers with faults: records in quarantine, a fuse that has blown, slices that are partial.
export async function startFilled(programs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'patra-web-test-'));
  const listen = `127.0.0.1:${await freePort()}`;
  const service = new Service(programs, `http://${listen}`, folder, start(DEMO, [programs, folder, listen]));
  return service;
}

export async function isFilled(service) {
  const status = await service.ask('status');
  const sum = (name) => status.endpoints.reduce((total, row) => total + row[name], 0);
  return status.holds.length > 0 && sum('quarantineOpen') > 0 && status.endpoints.length >= 5;
}

// Nothing was ever harvested, and there are no definitions.
export async function startEmpty(programs, port) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'patra-web-test-'));
  mkdirSync(path.join(folder, 'sources'));
  const listen = `127.0.0.1:${port ?? await freePort()}`;
  const service = new Service(programs, `http://${listen}`, folder, undefined);
  service.begin = async () => {
    service.process = start(path.join(programs, 'patra'), ['serve', '--db', path.join(folder, 'demo.db'), '--sources', path.join(folder, 'sources'), '--listen', listen]);
    await until('the empty service answers', () => service.ask('caller'));
  };
  await service.begin();
  return service;
}

export async function stop(service) {
  await service?.process?.stop();
  if (service) rmSync(service.folder, {recursive: true, force: true});
}

// A page that writes down what must not happen: scripts that a record brought, requests to elsewhere, breaches of the policy.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: 'reduce', ...options});
  const page = await context.newPage();
  page.wrong = [];
  page.on('pageerror', (error) => page.wrong.push(`a script failed: ${error.message}`));
  page.on('dialog', (dialog) => (page.wrong.push(`a script ran: ${dialog.message()}`), dialog.dismiss()));
  page.on('console', (message) => /Content Security Policy|Content-Security-Policy/.test(message.text()) && page.wrong.push(message.text()));
  page.on('request', (request) => !request.url().startsWith(`${url}/`) && page.wrong.push(`a request to ${request.url()}`));
  page.show = async (hash) => {
    await page.goto(`${url}/#/${hash}`);
    await page.locator('main h1').waitFor();
    await until(`${hash} is there`, async () => (await page.locator('main .loading').count()) === 0);
  };
  return page;
}

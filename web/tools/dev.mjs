// dev.mjs [PATRA] [PORT]: builds the dashboard anew for every page that is asked for, and passes calls of the API on to a running
// patra (default: http://127.0.0.1:8470), as if that served the page.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const patra = new URL(process.argv[2] ?? 'http://127.0.0.1:8470');
const port = Number(process.argv[3] ?? 8400);
const folder = path.join(os.tmpdir(), `patra-web-dev-${process.pid}`);
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
const TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml'};
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function serveFile(name, response) {
  try {
    const contents = readFileSync(path.join(folder, name));
    response.writeHead(200, {'Content-Type': TYPES[path.extname(name)], 'Content-Security-Policy': POLICY}).end(contents);
  } catch {
    response.writeHead(404).end('there is no such file');
  }
}

function passOn(request, response) {
  const headers = {...request.headers, host: patra.host};
  delete headers.origin;
  const asked = http.request(new URL(request.url, patra), {method: request.method, headers}, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.writeHead(502).end());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
}

http.createServer((request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname;
  if (name === '/') {
    try {
      execFileSync(process.execPath, [build, folder], {stdio: 'inherit'});
      serveFile('index.html', response);
    } catch {
      response.writeHead(500).end('the build failed; see the terminal');
    }
  } else if (/^\/assets\/[\w.-]+$/.test(name)) {
    serveFile(name, response);
  } else {
    passOn(request, response);
  }
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/ in front of ${patra.origin}`));

// build.mjs [FOLDER]: bundles the dashboard into FOLDER (default: build/web of the repository): index.html, and below assets/ what
// it loads, named by its content so that browsers may keep it for good.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import path from 'node:path';
import * as esbuild from 'esbuild';

// What a first look may cost, compressed.
const BYTES_MAX = 250_000;

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.resolve(process.argv[2] ?? path.join(here, '..', 'build', 'web'));

const built = await esbuild.build({
  entryPoints: {app: path.join(here, 'src', 'main.tsx'), style: path.join(here, 'src', 'style.css')},
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: ['chrome100', 'firefox100', 'safari15'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  outdir: '/out',
});

rmSync(folder, {recursive: true, force: true});
mkdirSync(path.join(folder, 'assets'), {recursive: true});
let page = readFileSync(path.join(here, 'src', 'index.html'), 'utf8');
let bytes = 0;
function put(name, contents) {
  bytes += gzipSync(contents, {level: 9}).length;
  writeFileSync(path.join(folder, name), contents);
}
for (const file of built.outputFiles) {
  const {name, ext} = path.parse(file.path);
  const hash = createHash('sha256').update(file.contents).digest('hex').slice(0, 12);
  put(`assets/${name}-${hash}${ext}`, file.contents);
  page = page.replace(`assets/${name}${ext}`, `assets/${name}-${hash}${ext}`);
}
put('assets/icon.svg', readFileSync(path.join(here, 'src', 'icon.svg')));
put('index.html', page);
console.log(`web: ${Math.ceil(bytes / 1024)} KB compressed`);
if (bytes > BYTES_MAX) {
  console.error(`web: that is more than the ${BYTES_MAX / 1000} KB that a first look may cost`);
  process.exit(1);
}

// embed.mjs FOLDER OUTPUT: writes what build.mjs made as a C++ source file, each file compressed once.
import {createHash} from 'node:crypto';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {gzipSync} from 'node:zlib';

const [folder, output] = process.argv.slice(2);
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml',
};
const BYTES_A_LINE = 32;

const names = ['index.html', ...readdirSync(path.join(folder, 'assets')).sort().map((name) => `assets/${name}`)];
let text = '// Written by web/tools/embed.mjs.\n#include <array>\n\n#include "adapter/rest/web_assets.h"\n\nnamespace patra::adapter::rest {\nnamespace {\n\n';
const rows = names.map((name, i) => {
  const contents = readFileSync(path.join(folder, name));
  const packed = gzipSync(contents, {level: 9});
  const mark = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  text += `constexpr unsigned char kFile${i}[] = {\n`;
  for (let at = 0; at < packed.length; at += BYTES_A_LINE) text += `    ${[...packed.subarray(at, at + BYTES_A_LINE)].join(',')},\n`;
  text += '};\n\n';
  return `    {"${name}", "${TYPES[path.extname(name)]}", "${mark}", {reinterpret_cast<const char*>(kFile${i}), sizeof kFile${i}}},\n`;
});
text += '}  // namespace\n\nstd::span<const WebFile> EmbeddedWebFiles() {\n';
text += `  static const std::array<WebFile, ${rows.length}> kAll{{\n${rows.join('')}  }};\n  return kAll;\n}\n\n}  // namespace patra::adapter::rest\n`;
writeFileSync(output, text);

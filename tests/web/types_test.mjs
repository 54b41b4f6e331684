// types_test.mjs WEB: the types that the pages go by are those of the API's description, and the pages keep to them. WEB is where the
// build keeps its copy of web/ and its packages; 77 where there is none.
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const web = path.resolve(process.argv[2]);
const compiler = path.join(web, 'node_modules', 'typescript', 'bin', 'tsc');
if (!existsSync(compiler)) {
  console.error('SKIPPED: the packages of web/ are not installed (PATRA_WEB)');
  process.exit(77);
}
try {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../web/tools/types.mjs', import.meta.url)), '--check'], {stdio: 'inherit'});
  execFileSync(process.execPath, [compiler, '--noEmit', '--project', web], {stdio: 'inherit'});
} catch {
  process.exit(1);
}

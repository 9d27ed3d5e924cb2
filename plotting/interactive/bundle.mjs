// Makes one script of entry.js and all that it imports, with the licences of those packages at its head. The same
// package-lock.json gives the same bytes.
//
//   node bundle.mjs OUTPUT   (in the folder of package.json and node_modules/)

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const [output] = process.argv.slice(2);
if (!output) {
  console.error('bundle.mjs: found no argument; accepted: the file to write');
  process.exit(2);
}

const { outputFiles, metafile } = await build({
  entryPoints: ['entry.js'],
  bundle: true,
  minify: true,
  format: 'iife',
  globalName: 'spcaVega',
  target: ['es2020'],
  charset: 'ascii',
  legalComments: 'none', // the licences are at the beginning, in full
  metafile: true,
  write: false,
  logLevel: 'error',
});

// Licence -> packages. For a package without a file of its licence, the name of the licence stands
// in.
const licences = new Map();
const packages = new Set(Object.keys(metafile.inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]));
packages.delete(undefined);
for (const folder of [...packages].sort()) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : `License: ${license}`;
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
}
const notices = [...licences].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n---\n\n');
const script = `/*!\n${notices.replaceAll('*/', '* /').replaceAll('</', '< /')}\n*/\n${outputFiles[0].text}`;
if (/<\/script|<!--/i.test(script)) {
  throw new Error('the bundle holds what ends a script in a page');
}
writeFileSync(output, script);
console.error(`bundle.mjs: ${packages.size} packages, ${(script.length / 1024).toFixed(0)} KiB`);

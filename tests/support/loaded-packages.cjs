/** Preloaded into a process of the service: writes which packages it had loaded when it ended, one a line, into LOADED_PACKAGES. */
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const packages = Object.keys(require.cache).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  writeFileSync(process.env.LOADED_PACKAGES, [...new Set(packages)].join('\n'));
});

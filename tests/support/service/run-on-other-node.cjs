// Runs the tests on the current release line of Node, which npm brings as a package of each platform. It is put outside of the
// project, once a version. Words on the command line choose tests, as they do with jest.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { delimiter, dirname, join } = require('node:path');

const version = '26.10.0';
const place = join(tmpdir(), `pierhead-node-${version}`);
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const node = join(place, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function install() {
  const aside = `${place}-${process.pid}`;
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--prefix', aside, '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]);
  rmSync(place, { recursive: true, force: true });
  renameSync(aside, place);
}

function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' && command === 'npm' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(node)) install();
const path = [dirname(node), process.env.PATH].join(delimiter);
const jest = join(__dirname, '../../../node_modules/jest/bin/jest.js');
process.stdout.write('Node of this run: ');
run(node, ['--version']);
run(node, [jest, ...process.argv.slice(2)], { ...process.env, PATH: path });

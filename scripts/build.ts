/** Compiles the program, its web app, its migrations and its data into one executable. */
import { parseArgs } from 'node:util'
import packageJson from '../package.json'
import { buildWeb, embedWeb } from './build-web'
import { sbom } from './sbom'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { target: { type: 'string' }, outfile: { type: 'string' } },
})
const outfile = values.outfile ?? 'dist/chapar'
const began = performance.now()

/** Output of a command; empty where it cannot be run, as in an archive without its history. */
function said(...command: readonly string[]): string {
  try {
    const { exitCode, stdout } = Bun.spawnSync([...command], { cwd: `${import.meta.dir}/..` })
    return exitCode === 0 ? stdout.toString().trim() : ''
  } catch {
    return ''
  }
}

// The day of the commit, not of the build: the same sources make the same executable.
const described = said('git', 'log', '-1', '--format=%h %cs %cI', '--abbrev=12')
const [commit = '', date = '', time = ''] = described.split(' ')
const changed =
  said('git', 'status', '--porcelain', '--untracked-files=no') === '' ? '' : '+changes'
const built = { commit: commit === '' ? 'unknown' : commit + changed, date: date || 'unknown' }

const web = await buildWeb()
const result = await Bun.build({
  // Threads begin in files of their own.
  entrypoints: [
    'src/main.ts',
    'src/storage/sqlite/checkpoint-worker.ts',
    'src/server/process/upkeep-worker.ts',
    'src/server/price-checks/price-check-worker.ts',
    'src/business/data/sqlite/reader-worker.ts',
    'src/storage/postgres/statement-worker.ts',
    'src/business/data/postgres/store-worker.ts',
  ],
  // All in one folder, as `./name.ts` is looked for beside the program.
  naming: { entry: '[name].[ext]' },
  minify: true,
  sourcemap: 'linked',
  bytecode: true,
  format: 'esm',
  plugins: [embedWeb(web)],
  define: { 'process.env.NODE_ENV': '"production"', CHAPAR_BUILD: JSON.stringify(built) },
  compile: {
    outfile,
    ...(values.target === undefined ? {} : { target: values.target as 'bun-linux-x64' }),
    autoloadBunfig: false,
    autoloadDotenv: false,
  },
})
for (const log of result.logs) console.error(log)
if (!result.success) process.exit(1)
// Beside the executable: what it contains.
await Bun.write(
  `${outfile}.cdx.json`,
  `${JSON.stringify(sbom({ commit: built.commit, time }), null, 2)}\n`,
)
const megabytes = (Bun.file(outfile).size / 1_000_000).toFixed(0)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(
  `${outfile}: chapar ${packageJson.version} (${built.commit}), ${megabytes} MB, built in ${seconds} s`,
)

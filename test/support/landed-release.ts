import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The last commit that people may run: set anew with each one that they may. */
const landed = '45d22728460dfe8aa7adb7df3d0c1083211e42eb'

const root = join(import.meta.dir, '../..')

/** A release of before, compiled. */
export interface LandedRelease {
  /** Words that run it. */
  readonly command: readonly string[]
  remove(): void
}

/** Runs a command to its end. @throws Error with what it said */
function done(command: readonly string[], cwd: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd })
  if (exitCode !== 0)
    throw new Error(`${command.join(' ')}: ${stdout.toString()}${stderr.toString()}`)
}

/** Whether the history has that commit: an archive, or a clone without its history, has not. */
export const hasLanded = (): boolean =>
  existsSync(join(root, '.git')) &&
  Bun.spawnSync(['git', 'cat-file', '-e', `${landed}^{commit}`], { cwd: root }).exitCode === 0

const lockOf = (folder: string): string => readFileSync(join(folder, 'bun.lock'), 'utf8')

/** Builds it from the history, with the packages that are there. */
export function buildLanded(): LandedRelease {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-landed-'))
  const sources = join(folder, 'sources')
  mkdirSync(sources)
  done(['sh', '-c', `git archive ${landed} | tar -x -C ${sources}`], root)
  const isSame = lockOf(root) === lockOf(sources)
  if (isSame) symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  else done([process.execPath, 'install', '--frozen-lockfile', '--silent'], sources)
  const program = join(folder, 'chapar')
  done([process.execPath, 'scripts/build.ts', '--outfile', program], sources)
  rmSync(sources, { recursive: true })
  return { command: [program], remove: () => rmSync(folder, { recursive: true, force: true }) }
}

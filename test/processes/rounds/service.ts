/** A service of several processes whose owner and fronts a test kills, freezes and begins again. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../../../src/storage/sqlite/front-spools'
import { begin, type Begun } from '../../support/executable'
import { listenersAt } from './accepted'

export interface Service {
  readonly url: URL
  /** Processes of fronts, those included that do not listen yet, or any more. */
  fronts(): readonly number[]
  /** Those of them that take connections. */
  listening(): readonly number[]
  owner(): Begun
  /** Begins the next owner, at the same port. Resolves when it serves. */
  beginAgain(): Promise<void>
  /** Has the program as it lies on the disk take over. Resolves when it serves. */
  replace(): Promise<void>
  /** Resolves when all fronts but one listen: somebody serves while another one is killed. */
  ready(): Promise<void>
  /** Resolves when so many fronts listen and no others run. @throws Error when they do not in time */
  whole(): Promise<void>
  /** Ends in order, by SIGTERM unless told. @returns exit code */
  end(signal?: 'SIGTERM' | 'SIGHUP'): Promise<number>
}

const wholeMs = 60_000
const lookMs = 10

export async function openService(
  data: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  let { owner, url } = await serve(data, count, '0', env)
  const port = Number(url.port)
  const fronts = () => frontsOf(data)
  const listening = () => listenersAt(port, fronts())
  return {
    url,
    fronts,
    listening,
    owner: () => owner,
    async beginAgain() {
      ;({ owner, url } = await serve(data, count, url.port, env))
    },
    async replace() {
      const taken = () => owner.logs().split('"replaced"').length
      const before = taken()
      owner.kill('SIGUSR2')
      await until(() => taken() > before, owner.logs)
    },
    ready: () => until(() => listening().length >= count - 1, owner.logs),
    async whole() {
      const isWhole = () => listening().length === count && fronts().length === count
      await until(isWhole, () => `${fronts().length} fronts: ${owner.logs()}`)
    },
    end(signal = 'SIGTERM') {
      owner.kill(signal)
      return owner.exited
    },
  }
}

async function serve(
  data: string,
  count: number,
  port: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly owner: Begun; readonly url: URL }> {
  const file = join(data, 'ready.env')
  rmSync(file, { force: true })
  const words = ['serve', '--data', data, '--processes', String(count), '--port', port]
  const owner = begin([...words, '--ready-file', file], {
    CHAPAR_LOG: 'info',
    CHAPAR_ADDRESS_RPM: '100000000',
    ...env,
  })
  await until(
    () => existsSync(file),
    () => owner.logs(),
  )
  const [, url = ''] = /^OPENAI_BASE_URL=(.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
  return { owner, url: new URL(url) }
}

/** As their notes in the data folder say. */
function frontsOf(data: string): readonly number[] {
  const folder = join(data, 'fronts')
  return readdirSync(folder)
    .map((node) => pidIn(join(folder, node, 'pid')))
    .filter(isRunning)
}

function pidIn(note: string): number {
  try {
    return Number(readFileSync(note, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

export async function until(isSo: () => boolean, why: () => string): Promise<void> {
  const limit = performance.now() + wholeMs
  while (!isSo()) {
    if (performance.now() > limit) throw new Error(`it did not come to that: ${why()}`)
    await Bun.sleep(lookMs)
  }
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programAt, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import { nextRelease } from '../support/next-release'
import { openNotifySocket } from '../support/notify-socket'
import { until } from '../support/pace'
import { openStandIn, replies, wholeReply, type StandIn } from '../support/stand-in'
import { end, isAlive, servingPid } from './replacement-load'

const isLinux = process.platform === 'linux'

let vendor: StandIn
let folder: string
let data: string
let key: string

beforeAll(async () => {
  vendor = openStandIn()
  folder = temporaryFolder()
  data = join(folder, 'data')
  key = await setUp(data, vendor.url)
})
afterAll(async () => {
  await vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = async (serving: Serving): Promise<number> => {
  const response = await fetch(`${serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(ask('priced')),
    // A process that leaves waits for connections that may be used once more.
    keepalive: false,
  })
  await response.arrayBuffer()
  return response.status
}

const hasNext = (pid: number) => () => ![0, pid].includes(servingPid(data))

/** Puts a program in the place of another, as an upgrade does. */
function putInPlace(path: string, script: string): void {
  writeFileSync(`${path}.new`, script)
  chmodSync(`${path}.new`, 0o755)
  renameSync(`${path}.new`, path)
}

describe.skipIf(!isLinux)('a program that cannot take the place of the one that serves', () => {
  const compiled = Boolean(process.env['CHAPAR_EXECUTABLE'])
  const broken = (shell: string, module: string) => (compiled ? `#!/bin/sh\n${shell}\n` : module)

  test.each([
    ['does not start', broken('exit 7', 'process.exit(7)')],
    [
      'ends before it serves',
      broken(
        '[ "$1" = --version ] && exit 0\nexit 1',
        'process.exit(process.argv.includes("--version") ? 0 : 1)',
      ),
    ],
  ])('leaves it serving: it %s', async (_, script) => {
    const path = join(folder, compiled ? 'chapar' : 'chapar.ts')
    const serving = await serve(['--data', data], {}, [], programAt(path))
    try {
      putInPlace(path, script)
      process.kill(serving.pid, 'SIGUSR2')
      await until(() => serving.logs().includes('program not replaced'))
      expect(await call(serving)).toBe(200)
      expect(servingPid(data)).toBe(serving.pid)
    } finally {
      await end(serving.pid, 'SIGTERM')
      rmSync(path, { force: true })
    }
  })
})

describe.skipIf(!isLinux)('a program that is replaced', () => {
  test('ends a call that runs, and tells the manager of services whose process it is now', async () => {
    const socket = join(folder, 'notify.sock')
    const manager = openNotifySocket(socket)
    const serving = await serve(['--data', data], { NOTIFY_SOCKET: socket })
    const answered = Promise.withResolvers<void>()
    vendor.play(async () => {
      await answered.promise
      return wholeReply('late')
    })
    try {
      const running = call(serving)
      await until(() => vendor.seen.length > 0)
      vendor.play(replies())
      process.kill(serving.pid, 'SIGUSR2')
      await until(hasNext(serving.pid))
      const next = servingPid(data)
      expect(await call(serving)).toBe(200)
      expect(isAlive(serving.pid)).toBe(true)
      answered.resolve()
      expect(await running).toBe(200)
      await until(() => !isAlive(serving.pid))
      await end(next, 'SIGTERM')
      expect(manager.heard()).toEqual(['READY=1', 'READY=1', `MAINPID=${next}`, 'STOPPING=1'])
      expect(existsSync(join(data, 'serving.json'))).toBe(false)
    } finally {
      answered.resolve()
      await end(servingPid(data), 'SIGKILL')
      manager.close()
    }
  })

  test('keeps its process where it is asked to, twice', async () => {
    const serving = await serve(['--data', data], { CHAPAR_KEEP_PID: '1' })
    for (let pid = serving.pid, round = 0; round < 2; round++) {
      process.kill(serving.started, 'SIGUSR2')
      await until(hasNext(pid))
      const next = servingPid(data)
      expect(await call(serving)).toBe(200)
      await until(() => !isAlive(pid))
      pid = next
    }
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
    expect(servingPid(data)).toBe(0)
  })
})

describe.skipIf(!isLinux)('a program beside whose schema the one before may not write', () => {
  test('serves once that one has ended, which says so first', async () => {
    const next = nextRelease('0.2.0', {
      sqlite: [
        '-- older programs may not write beside this\nCREATE TABLE `later` (`id` integer PRIMARY KEY)',
      ],
    })
    const path = join(folder, 'main.ts')
    const importing = (main: string) => `await import(${JSON.stringify(main)})\n`
    writeFileSync(path, importing(join(import.meta.dir, '../../src/main.ts')))
    const serving = await serve(['--data', data], {}, [], [process.execPath, path])
    try {
      putInPlace(path, importing(next.command.at(-1) ?? ''))
      process.kill(serving.pid, 'SIGUSR2')
      await until(hasNext(serving.pid))
      expect(isAlive(serving.pid)).toBe(false)
      expect(serving.logs()).toContain('older programs may not write beside the new schema')
      // It has the folder before it listens.
      await until(async () => (await call(serving).catch(() => 0)) === 200)
    } finally {
      await end(servingPid(data), 'SIGTERM')
      next.remove()
    }
  })
})

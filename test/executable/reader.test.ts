import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openVisitor } from '../console/visitor'
import { serve, temporaryFolder } from '../support/executable'

/** How many connections a process has to a database. */
const connectionsOf = (pid: number, file: string): number =>
  readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`) === file
    } catch {
      return false
    }
  }).length

/** How much each thread of a process gives way to others, by the kernel: 0 is usual. */
const nicesOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[16])
  })

// Descriptors are looked up where Linux shows them.
test.skipIf(process.platform !== 'linux')(
  'a thread that gives way reads the first page that is asked for, and nothing is left at the end',
  async () => {
    const data = join(temporaryFolder(), 'data')
    const file = join(data, 'chapar.db')
    const serving = await serve(['--data', data, '--demo'])
    const visitor = openVisitor(serving)
    await visitor.signIn('09123456789')
    expect(connectionsOf(serving.pid, file)).toBe(2)
    const projects = (await visitor.send('GET', '/projects')).body as { data: readonly object[] }
    expect(projects.data).toHaveLength(1)
    expect(connectionsOf(serving.pid, file)).toBe(3)
    expect(nicesOf(serving.pid).filter((nice) => nice > 0)).toHaveLength(1)
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
    expect(serving.logs()).not.toContain('reading beside')
    for (const rest of ['-wal', '-shm']) expect(existsSync(file + rest)).toBe(false)
    rmSync(join(data, '..'), { recursive: true, force: true })
  },
)
